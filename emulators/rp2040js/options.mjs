// SPDX-License-Identifier: MIT
import {parseArgs} from 'node:util';

const usage = `usage: rp2040-runner --board boards/NAME/board.toml [options] program.elf
  --limit-ms N     emulated time after which the run ends with 124 (60000)
  --wall-s N       real time after which the run ends with 124 (120)
  --lines N        end with 0 after N lines of text
  --send MS:TEXT   send TEXT from emulated time MS on; \\n \\r \\t \\\\ \\xHH are understood; may be repeated
  --stack          report the deepest stack (it always does)
`;

const escapes = {n: 10, r: 13, t: 9, '\\': 92};

/** What a person got wrong; the message says how it is meant. */
export class UsageError extends Error {}

function complain(what, value) {
  throw new UsageError(`${what}: "${value}"\n${usage}`);
}

function number(text) {
  if (!/^\d{1,10}$/.test(text)) complain('not a number', text);
  return Number(text);
}

function bytesOf(text) {
  const bytes = [];
  for (const [plain, digits, name] of text.matchAll(/\\x([0-9a-fA-F]{2})|\\(.?)|[^]/gu)) {
    if (digits !== undefined) {
      bytes.push(parseInt(digits, 16));
    } else if (name === undefined) {
      bytes.push(...Buffer.from(plain));
    } else if (name in escapes) {
      bytes.push(escapes[name]);
    } else {
      complain('--send: unknown escape', text);
    }
  }
  return bytes;
}

function sending(argument) {
  const parts = /^(\d{1,10}):([^]*)$/.exec(argument);
  if (!parts) complain('--send is to be MS:TEXT', argument);
  return {ms: Number(parts[1]), bytes: bytesOf(parts[2])};
}

/**
 * The command line.
 *
 * Errors   UsageError
 */
export function parse(words) {
  let read;
  try {
    read = parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        board: {type: 'string'},
        'limit-ms': {type: 'string', default: '60000'},
        'wall-s': {type: 'string', default: '120'},
        lines: {type: 'string', default: '0'},
        send: {type: 'string', multiple: true, default: []},
        stack: {type: 'boolean'},
      },
    });
  } catch (error) {
    complain('bad command line', error.message);
  }
  const {values, positionals} = read;
  if (!values.board) complain('--board is needed', '');
  if (positionals.length !== 1) complain('one program.elf is needed', positionals[1] ?? '');
  return {
    board: values.board,
    program: positionals[0],
    limitMs: number(values['limit-ms']),
    wallSeconds: number(values['wall-s']),
    lines: number(values.lines),
    sends: values.send.map(sending),
  };
}
