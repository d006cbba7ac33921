# SPDX-License-Identifier: MIT
"""Reads the declarations of the headers out of Doxygen's XML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

NOT_FOR_USERS = re.compile(r"(^|::|_)(detail|spi)(::|_|$)|^std::|^boost::|DETAIL|SPI_")
_PUBLIC = ("public-type", "public-func", "public-static-func", "public-attrib", "public-static-attrib")
_CLASSES = ("class", "struct", "union")
LONG_START = 60
"""A variable's initializer of this length or longer is left out."""
_SPACES = (("< ", "<"), (" >", ">"))
_BEFORE_NAME = re.compile(r" ([&*]+)(?=\w)")
_AFTER_TYPE = re.compile(r"(?<=[\w>]) ([&*]+)(?!\w)")
_DEFAULT = re.compile(r"(?<=[\w>\]])=(?=[\w{\"'(-])(?<!operator=)")
_END = re.compile(r"\s*=\s*(default|delete|0)$")


@dataclass(frozen=True)
class Declaration:
    """A declaration: its kind, its name as users write it, its text, and its place."""

    kind: str
    name: str
    text: str
    header: PurePosixPath
    line: int
    values: tuple[tuple[str, str], ...] = ()
    """An enumeration's names, each with its meaning."""
    is_inner: bool = False
    """True for a class within a class."""
    members: list[Declaration] = field(default_factory=list)

    @property
    def short(self) -> str:
        """The name without its scope."""
        return self.name.rpartition("::")[2] if "operator" not in self.name else self.name[self.name.find("operator") :]


def read(xml: Path) -> dict[PurePosixPath, list[Declaration]]:
    """Returns the public declarations of each header, in the order of their lines."""
    found: dict[PurePosixPath, list[Declaration]] = {}
    for each in _all(xml):
        found.setdefault(each.header, []).append(each)
    return {header: sorted(each, key=lambda one: one.line) for header, each in sorted(found.items())}


def _all(xml: Path) -> Iterator[Declaration]:
    seen: set[str] = set()
    inner = {each.get("refid", "") for each in _inner_classes(xml)}
    for path in sorted(xml.glob("*.xml")):
        for compound in ElementTree.parse(path).getroot().iter("compounddef"):
            name, kind = compound.findtext("compoundname", ""), compound.get("kind", "")
            if NOT_FOR_USERS.search(name):
                continue
            if kind in _CLASSES or kind == "concept":
                yield from _class(compound, kind, name, is_inner=compound.get("id") in inner)
            elif kind in ("namespace", "file"):
                yield from _free(compound, seen)


def _inner_classes(xml: Path) -> Iterator[Element]:
    for pattern in ("class*.xml", "struct*.xml", "union*.xml"):
        for path in xml.glob(pattern):
            yield from ElementTree.parse(path).getroot().iter("innerclass")


def _class(compound: Element, kind: str, name: str, *, is_inner: bool) -> Iterator[Declaration]:
    place = compound.find("location")
    if place is None or compound.get("prot") in ("private", "protected") or "<" in name:
        return
    text = f"{_template(compound)}{'' if kind == 'concept' else kind + ' '}{name.rpartition('::')[2]}{_bases(compound)}"
    if kind == "concept":
        text = _tidy("".join(compound.find("initializer").itertext()))  # type: ignore[union-attr]
    members = [
        _member(each)
        for section in compound.iter("sectiondef")
        if section.get("kind") in _PUBLIC
        for each in section.iter("memberdef")
        if _is_for_users(each)
    ]
    members.sort(key=lambda each: each.line)
    yield Declaration(kind, name, text, _header(place), int(place.get("line", "1")), (), is_inner, members)


def _free(compound: Element, seen: set[str]) -> Iterator[Declaration]:
    for each in compound.iter("memberdef"):
        if each.get("id", "") not in seen and _is_for_users(each):
            seen.add(each.get("id", ""))
            yield _member(each)


def _is_for_users(member: Element) -> bool:
    name = _name(member)
    is_friend = member.get("kind") == "friend"
    return not (is_friend or name.endswith("_") or NOT_FOR_USERS.search(name)) and member.find("location") is not None


def _name(member: Element) -> str:
    return member.findtext("qualifiedname", "") or member.findtext("name", "")


def _member(member: Element) -> Declaration:
    kind, place = member.get("kind", ""), member.find("location")
    assert place is not None
    name = _name(member)
    values = tuple(
        (value.findtext("name", ""), _said(value.find("briefdescription"))) for value in member.iter("enumvalue")
    )
    return Declaration(kind, name, _text(member, kind), _header(place), int(place.get("line", "1")), values)


def _text(member: Element, kind: str) -> str:
    name = member.findtext("name", "")
    if kind == "define":
        names = [each.findtext("defname", "") for each in member.iter("param")]
        return f"#define {name}({', '.join(names)})" if member.find("param") is not None else f"#define {name}"
    if kind == "enum":
        base = member.findtext("type", "")
        return f"enum {'class ' if member.get('strong') == 'yes' else ''}{name}{' : ' + base if base else ''}"
    kept = _joined(member.find("type")).strip()
    if kind == "typedef":
        return _tidy(f"{_template(member)}using {name} = {kept}{member.findtext('argsstring', '')}")
    head = "".join(f"{word} " for word in ("static", "explicit") if member.get(word) == "yes")
    start = _joined(member.find("initializer")) if kind == "variable" else ""
    tail = f"{member.findtext('argsstring', '')}{' ' + start if start and len(start) < LONG_START else ''}"
    return _tidy(f"{_template(member)}{head}{kept}{' ' if kept else ''}{name}{tail}")


def _template(compound: Element) -> str:
    found = compound.find("templateparamlist")
    if found is None:
        return ""
    parts = []
    for each in found.iter("param"):
        name, default = each.findtext("declname", ""), _joined(each.find("defval"))
        parts.append(f"{_joined(each.find('type'))}{' ' + name if name else ''}{' = ' + default if default else ''}")
    return f"template <{', '.join(_tidy(part) for part in parts)}>\n"


def _bases(compound: Element) -> str:
    shown = [
        f"public {_tidy(_joined(each))}"
        for each in compound.findall("basecompoundref")
        if each.get("prot") == "public" and not NOT_FOR_USERS.search(_joined(each))
    ]
    return f" : {', '.join(shown)}" if shown else ""


def _joined(element: Element | None) -> str:
    return "" if element is None else "".join(element.itertext())


def _said(element: Element | None) -> str:
    return " ".join(_joined(element).split())


def _tidy(text: str) -> str:
    for wide, narrow in _SPACES:
        text = text.replace(wide, narrow)
    text = _AFTER_TYPE.sub(r"\1", _BEFORE_NAME.sub(r"\1 ", text))
    return _END.sub(r" = \1", _DEFAULT.sub(" = ", text)).strip()


def _header(place: Element) -> PurePosixPath:
    return PurePosixPath(place.get("file", ""))


def grouped(each: Sequence[Declaration]) -> list[list[Declaration]]:
    """Returns the declarations with overloads that follow each other in one group."""
    groups: list[list[Declaration]] = []
    for one in each:
        if groups and one.kind == "function" == groups[-1][0].kind and one.name == groups[-1][0].name:
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups
