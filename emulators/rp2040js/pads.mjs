// SPDX-License-Identifier: MIT

const fullScale = 4095;
const referenceMillivolts = 3300;
const low = 0, high = 1, pulledUp = 3, pulledDown = 4;  // states of rp2040js' pins

/**
 * Lets a program read at a pin what the pin carries: the level of its own output, else what comes
 * from outside, else its pull. rp2040js leaves all of that to its user.
 *
 * Source   RP2040 data sheet, "GPIO", "Pads".
 */
export class Pads {
  constructor(chip) {
    this.chip = chip;
    this.outside = new Map();
    this.watched = new Map();
    for (const pin of chip.gpio) pin.addListener(() => this.#settle(pin));
  }

  /** Puts a level on a pin from outside. */
  drive(number, level) {
    this.outside.set(number, level);
    this.#settle(this.chip.gpio[number]);
  }

  /** Sets the voltage at a channel of the ADC. */
  supply(channel, millivolts) {
    this.chip.adc.channelValues[channel] = Math.min(fullScale, Math.round(millivolts * (fullScale + 1) / referenceMillivolts));
  }

  /** Calls `report` with each change of the pin's level; at once if it is high. */
  watch(number, report) {
    this.watched.set(number, {level: false, report});
    this.#settle(this.chip.gpio[number]);
  }

  #level(pin) {
    const state = pin.value;
    if (state === low || state === high) return state === high;
    if (this.outside.has(pin.index)) return this.outside.get(pin.index);
    if (state === pulledUp) return true;
    if (state === pulledDown) return false;
    return pin.rawInputValue;
  }

  #settle(pin) {
    const level = this.#level(pin);
    if (level !== pin.rawInputValue) pin.setInputValue(level);
    const watched = this.watched.get(pin.index);
    if (!watched || watched.level === level) return;
    watched.level = level;
    watched.report(level);
  }
}
