#!/usr/bin/env python3
"""Check records of Samizdat: python3 tools/verify.py FILE...

It is written from docs/record.md alone, shares no code with the referee and needs nothing but
Python. It knows no game: it checks form, chain, seals, dice, lots, draws, epochs and acts, but
not that an order was legal, what stands in a pile, nor what letters say beside their hash. It
exits with 1 if a record is wrong, or cannot be checked. "-" reads the standard input; FILE.gz
is unpacked.

Anybody can cut a record, and whoever knows the secret can write another. So give --letters, or
hashes from the foot of your letters, that of the newest above all. Without these a record that
has its secret and does not end by an act is not good: only a program that knows the game can
tell whether it stops before the end.
"""
import argparse, email, email.policy, email.utils, gzip, hashlib, hmac, html, json, mailbox, os, re, sys, unicodedata
from datetime import datetime, timedelta, timezone
from types import SimpleNamespace

class NotChecked(ValueError): pass
def want(ok, why):
    if not ok: raise ValueError(why)
# Canonical JSON
def members(pairs):
    want(len(dict(pairs)) == len(pairs), "a member stands twice")
    return dict(pairs)
def number(n):
    want(re.fullmatch(r"-?\d{1,17}", n) and abs(int(n)) < 2**53, f"{n[:20]} is no integer, or too large")
    return int(n)
parse = lambda line: json.loads(line, object_pairs_hook=members, parse_int=number, parse_float=number, parse_constant=number)
def ordered(x):
    if isinstance(x, dict):
        return {k: ordered(x[k]) for k in sorted(x, key=lambda k: k.encode("utf-16-be"))}
    return [ordered(v) for v in x] if isinstance(x, list) else x
canonical = lambda x: json.dumps(ordered(x), ensure_ascii=False, separators=(",", ":")).encode()
H, HMAC = lambda x: hashlib.sha256(canonical(x)).hexdigest(), lambda key, x: hmac.digest(key, canonical(x), "sha256")
# The members of a record, and what may stand in them
text, count, positive = lambda x: isinstance(x, str) and x != "", lambda x: type(x) is int and x >= 0, lambda x: count(x) and x > 0
true, some = lambda x: x is True, lambda x: isinstance(x, list) and x != []
texts = lambda x: some(x) and all(map(text, x))
digest = lambda x: isinstance(x, str) and re.fullmatch("[0-9a-f]{64}", x) is not None
clock, object_ = lambda t: datetime.strptime(t, "%Y-%m-%dT%H:%M:%SZ"), lambda x: isinstance(x, dict)
time = lambda x: text(x) and re.fullmatch(r"[-\d]{10}T[:\d]{8}Z", x) and clock(x)
sealed = lambda seal, words: any(hashlib.sha256((words + end).encode()).hexdigest() == seal for end in ("", "\n", "\r\n"))
ENTRY = dict(seq=count, at=time, seat=lambda x: x is None or text(x), letter=digest, setup=digest, epoch=positive,
             orders=texts, private=true, silence=lambda x: x in ("default", "lot"), takeback=positive, player=text, act=object_, answers=some,
             tally=object_, chance=some, state=digest, source=text, forced=true, note=text,
             sealed=digest, prev=digest, hash=digest)
ANSWER = dict(seat=text, orders=texts, private=true, letter=digest, silence=ENTRY["silence"])
ROLL = {"roll": lambda x: count(x) and 1 <= x <= 6, "for": text}
DRAW = {"draw": lambda x: text(x) or type(x) is int, "i": count, "n": positive, "from": text, "to": text,
        "hand": text, "hidden": true, "for": text}
ACT, END = dict(kind=text, by=lambda x: x in ("director", "operator"), why=text, until=time, end=object_, entry=count, hash=digest), dict(winners=texts, draw=true)
DIRECTORS, ANYBODY = ("undo", "annul", "rule", "replace", "tell"), ("pause", "resume", "extend")  # of others only a seat does these
SEATED = "resign", "forfeit", "draw", "abort", "claim", "extend", "replace", "witness"
MAY_END, MUST_END = ("resign", "forfeit"), ("draw", "abort", "claim", "annul", "rule")
NO_END = "pause", "resume", "extend", "undo", "replace", "tell", "restore", "witness"
CHANGED = "forfeit", "claim", "annul", "rule"  # such an end can be changed for seven days
def form(what, x, allowed, needed=()):
    want(isinstance(x, dict), f"{what} is no object")
    for k, v in x.items():
        want(k in allowed, f"{what} has an unknown member {k!r}")
        want(allowed[k](v), f"{k} cannot be {json.dumps(v)[:60]}")
    want(set(needed) <= set(x), f"{what} lacks one of " + ", ".join(needed))
def hides(c):  # what of an outcome is hidden
    if "hidden" in c:
        return ("draw", "i", "n") if c.get("from") == "lot" else ("draw", "i")
    return () if "roll" in c or c.get("from") == "lot" else ("i",)
def split(e):
    """The public fields of an entry, and the hidden ones that are there."""
    gone = ("sealed", "prev", "hash", "state") + (("orders",) if "private" in e else ())
    public, hidden = {k: v for k, v in e.items() if k not in gone}, {k: e[k] for k in gone[3:] if k in e}
    if "chance" in e:
        public["chance"] = [{m: v for m, v in c.items() if m not in hides(c)} for c in e["chance"]]
        hidden["chance"] = [[k, c.get("draw"), c.get("i"), c.get("n")][:4 if "n" in hides(c) else 3]
                            for k, c in enumerate(e["chance"]) if set(hides(c)) & set(c)]
    if "answers" in e:
        public["answers"] = [{m: v for m, v in a.items() if m != "orders" or "private" not in a} for a in e["answers"]]
        hidden["answers"] = [[k, a["orders"]] for k, a in enumerate(e["answers"]) if "private" in a and "orders" in a]
    return public, {k: v for k, v in hidden.items() if v}
# Letters of the referee
FOOT = re.compile(r"^Match\s+([a-z0-9]+)(?:,\s+letter\s+(\d+)\s+to\s+you)?(?:,\s+epoch\s+(\d+))?\.\s+(?:The\s+hash\s+of\s+its|Check\s+number\s+of\s+the)\s+history\s+so\s+far:\s+([0-9a-f]{64})\b", re.M)
COMMITS, NUMBER = re.compile(r"that\s+this\s+number\s+commits\s+us\s+to:\s+([0-9a-f]{64})\b"), re.compile(r"\b[0-9a-f]{64}\b")
def mails(path):
    """The mails of an mbox, of a file with one, or of all files below a directory."""
    for file in sorted(os.path.join(d, f) for d, _, files in os.walk(path) for f in files) if os.path.isdir(path) else [path]:
        raw = open(file, "rb").read()
        yield from (bytes(m) for m in mailbox.mbox(file, create=False)) if raw.startswith(b"From ") else [raw]
def letter(raw):
    """What a letter shows of a history; None where it is no letter of the referee."""
    m = email.message_from_bytes(raw, policy=email.policy.default)
    name = re.match(r"<([a-z0-9]+)-([a-z]?\d+)-(\d+)-[a-z2-7]{16}@", m["Message-ID"] or "")
    if not name or not (body := m.get_body(("plain", "html"))): return None
    text = body.get_content().replace("\r", "")
    if body.get_content_subtype() == "html": text = html.unescape(re.sub("<[^>]*>", "\n", text))
    def when(t):
        try: return email.utils.parsedate_to_datetime(t).astimezone(timezone.utc).replace(tzinfo=None)
        except (TypeError, ValueError): return None
    feet, date = [f for f in FOOT.findall(text) if f[0] == name[1] and f[1] in ("", name[3])][-1:], when(m["Date"]) or datetime.min
    head = feet[0][3] if feet else commits[1] if (commits := COMMITS.search(text)) else None
    return SimpleNamespace(match=name[1], reader=name[2], number=int(name[3]), head=head, foot=bool(feet), date=date, arrived=when((m["Received"] or "").rpartition(";")[2].strip()) or date,
                           epoch=int(feet[0][2]) if feet and feet[0][2] else None, reveals={hashlib.sha256(bytes.fromhex(n)).hexdigest() for n in NUMBER.findall(text)})
class Record:
    def __init__(self, header, options):
        want(object_(header) and header.get("format") == "samizdat-record" and header.get("version") == 1,
             "it is no record of version 1")
        get = lambda k, empty, good: header[k] if header.get(k) and good(header[k]) else empty
        h = {k: get(k, "", text) for k in ("format", "game", "match", "commitment", "chance")}
        h.update(version=1, rules=get("rules", 0, positive), options=get("options", {}, object_), words=get("words", [], some))
        if header.get("seals"):
            h["seals"] = get("seals", [], some)
            want(len(h["seals"]) == len(h["words"]) and all(map(sealed, h["seals"], h["words"])), "its words do not have its seals")
        if (b := header.get("beacon")) is not None:
            h["beacon"], signature = b, lambda x: isinstance(x, str) and re.fullmatch("[0-9a-f]{96}", x)
            form("its beacon", b, dict(chain=text, round=positive, signature=signature), ("chain", "round", "signature"))
        self.header, self.options, self.seats = h, options, get("seats", {}, object_)
        self.foreign = h["chance"] == "recorded"
        want(h["game"] and h["rules"] and h["match"], "it lacks game, rules or match")
        want(self.foreign or digest(h["commitment"]) and not h["chance"], "it has no commitment")
        want(options.commitment in (None, h["commitment"]), f"its commitment is {h['commitment']}")
        want(set(options.words) <= set(h["words"]), f"its words are {h['words']}")
        plain = all(text(w) and w == " ".join(w.split()) and len(w) <= 300 and not {"Cc", "Cf"} & set(map(unicodedata.category, w)) for w in h["words"])
        want(self.foreign or plain and len(h["words"]) == len(self.seats), f"words are missing, or none: {h['words']}")
        want({x.lower() for x in options.seal} <= set(h.get("seals", [])), "it does not have that seal")
        self.secret = self.key = None
        if header.get("secret"):
            want(digest(header["secret"]), "its secret is not 32 bytes in hexadecimal digits")
            self.secret = bytes.fromhex(header["secret"])
            want(hashlib.sha256(self.secret).hexdigest() == h["commitment"], "its secret is not that of the commitment")
            self.key = None if self.foreign else HMAC(self.secret, ["key", h["match"], h["words"]] + ([b["signature"]] if b else []))
        self.entries, self.n, self.epoch, self.outcomes, self.ended, self.stands = [], 0, 0, 0, None, []
        self.hashes = {h["commitment"]: "the commitment"}
    def entry(self, e):
        if self.foreign and object_(e): e = {k: v for k, v in e.items() if v != []}
        form("it", e, ENTRY, ("seq", "seat") if self.foreign else ("seq", "at", "seat"))
        want(e["seq"] == len(self.entries), f"its number is {e['seq']}")
        self.shape(e)
        self.act(e, e.get("act"))
        was, self.epoch = self.epoch, e.get("epoch", 0)
        new = "takeback" in e or e.get("act", {}).get("kind") == "restore"
        want(self.epoch == was + new, f"the epoch goes from {was} to {self.epoch}, and nothing explains that")
        self.back(e)
        if self.header["commitment"]: self.chain(e)
        if self.key:
            want("state" in e, "it has no state")
            stays = "player" in e or "act" in e and "end" not in e["act"]
            then = e.get("takeback", e["seq"] * stays)
            want(not then or e["state"] == self.entries[then - 1]["state"], f"its position is not that before {then}")
            # No place is used twice: the epoch never falls, and n rises with every entry that has outcomes.
            for i, c in enumerate(e.get("chance", [])): self.outcome(i, c)
        self.entries.append(e)
    def back(self, e):
        """What is taken back, and what stands then."""
        then, self.stands = e.get("takeback"), self.stands + [e]
        if then and "act" not in e and not self.foreign:
            mine = [x["seq"] for x in self.stands[:-1] if x["seat"] == e["seat"] and {"orders", "private"} & set(x)]
            shown = [x["seq"] for x in self.stands[:-1] if {"chance", "answers", "tally", "private", "player"} & set(x) or x.get("act", {}).get("kind") in MAY_END]
            want(mine and mine[-1] == then > (shown or [0])[-1], f"entry {then} is not the last order of {e['seat']}, or has shown something")
        if then: self.stands = [x for x in self.stands[:-1] if x["seq"] < then] + [e]
    def shape(self, e):
        """What stands in an entry together."""
        chance, answers = e.get("chance", []), e.get("answers", [])
        for a in answers:
            form("an answer", a, ANSWER, ("seat", "orders")[:1 if "private" in a and not self.secret else 2])
        for c in chance:
            allowed, needed = (ROLL, []) if object_(c) and "roll" in c else (DRAW, ["from", "draw", "i", "n"])
            gone = () if self.secret else hides(c)
            form("an outcome", c, allowed, [k for k in needed[:1 if self.foreign else 4] if k not in gone])
        want(self.foreign or not {"source", "forced", "note"} & set(e), "it has what records from elsewhere have")
        names = [e["seat"]] + [a["seat"] for a in answers] + [c[k] for c in chance for k in ("to", "hand") if k in c]
        want(not self.seats or {s for s in names if s} <= set(self.seats), "it names a seat that the match does not have")
        want(len(answers) == len({a["seat"] for a in answers}), "a seat answers twice")
        played = ("orders" in e or "private" in e) + ("answers" in e) + ("tally" in e)
        if "takeback" in e or "player" in e or "act" in e:
            want(not played and not chance and not {"silence", "setup"} & set(e), "it has orders or outcomes, and must not")
            want(not {"takeback", "player"} <= set(e) and e.get("takeback", 0) < max(1, e["seq"]), "it takes back what is not before it, or has a player")
            want("act" in e or e["seat"] and "letter" not in e, "nobody asked for it, or a letter did")
        else:
            want(played == (e["seq"] > 0) or self.foreign, "it must hold one of orders, answers and a tally")
            want("orders" in e or "private" not in e or not self.secret, "it has no orders")
            want(e["seat"] or not e["seq"] or {"answers", "tally"} & set(e) or self.foreign, "it lacks its seat")
            one = all(len(a.get("orders", "1")) == 1 and not {"silence", "letter"} <= set(a) for a in answers + [e])
            want(one or self.foreign, "it has several orders, or silence and a letter")
        if "answers" in e or "tally" in e:
            want(e["seat"] is None and "letter" not in e, "it has one seat or letter for several answers")
            want(sorted(e.get("tally", ("group", "outcome"))) == ["group", "outcome"] and "silence" not in e, "a tally has group and outcome")
        self.n += played
    def act(self, e, a):
        kind, end = (a or {}).get("kind"), (a or {}).get("end")
        if a is not None:
            form("the act", a, ACT, ("kind",))
            want(kind in MAY_END + MUST_END + NO_END, f"there is no act {kind!r}")
            by, then, whose = a.get("by"), {"undo": e.get("takeback", 0), "restore": e["seq"]}.get(kind), kind not in DIRECTORS + ("restore",)
            want({"director": kind in DIRECTORS + ANYBODY, "operator": kind == "restore"}.get(by, whose), f"{kind} cannot be by {by}")
            want((bool(e["seat"]) == (kind in SEATED) or kind in ("pause", "resume")) and ("letter" not in e or e["seat"] and not by),
                 f"{kind} lacks its seat, or has one, or somebody else's letter")
            want((by or "why" not in a) and ("why" in a or kind != "tell"), f"{kind} lacks a reason, or has one")
            want(kind in ANYBODY or a.get("until") == (self.entries[then - 1].get("at") if then else None), f"{kind} names another time")
            want((kind == "undo") == ("takeback" in e) and (kind == "replace") == ("player" in e), "undo stands with takeback, and replace with player")
            seen = self.hashes.get(a.get("hash"), a.get("hash")) == (f"entry {a['entry']}" if "entry" in a else None)
            want(seen and (kind == "witness") == ("hash" in a), f"{kind}: what was seen is no entry before it, or missing")
            want(kind not in (MUST_END if end is None else NO_END), f"{kind} and an end do not fit")
        if end is not None:
            form("the end", end, END)
            want(set(winners := end.get("winners", [])) <= set(self.seats or winners) and len(end) < 2, "the end is none")
            good = {"abort": not end, "annul": not end, "draw": "draw" in end, "claim": e["seat"] in winners}
            want(good.get(kind, True), f"{kind} cannot end the match so")
        if self.ended:
            last, at = self.ended
            want(last in CHANGED and kind in ("undo", "annul", "rule") and clock(e["at"]) - clock(at) <= timedelta(days=7), f"it follows after the end by {last}")
        self.ended = (kind, e.get("at")) if end is not None else None
    def chain(self, e):
        public, hidden = split(e)
        form("it", e, ENTRY, ("sealed", "prev", "hash"))
        want(e["prev"] == (self.entries[-1]["hash"] if self.entries else self.header["commitment"]), "it does not follow on the one before")
        want(e["hash"] == H([e["prev"], public, e["sealed"]]), "its hash is not that of its public fields")
        want(e.get("setup") == (None if e["seq"] else H(self.header)), "its setup is not the digest of the header")
        if self.secret:
            key = HMAC(self.secret, ["entry", self.header["match"], e["seq"]])
            want(e["sealed"] == HMAC(key, hidden).hex(), "its seal is not that of its hidden fields")
        else:
            want(not hidden, "it shows what is hidden, and the secret is not there")
        self.hashes[e["hash"]] = f"entry {e['seq']}"
    def outcome(self, i, c):
        kind = "roll" if "roll" in c else "lot" if c["from"] == "lot" else "draw " + c["from"]
        m, at, again, place = c.get("n", 6), None, 0, [self.epoch, self.n, i, kind]
        while at is None:
            d = HMAC(self.key, place + [again] * (again > 0))
            four = (int.from_bytes(d[k:k + 8], "big") for k in (0, 8, 16, 24))
            at, again = next((x % m for x in four if x < 2**64 // m * m), None), again + 1
        had, gives = (c["roll"], at + 1) if "roll" in c else (c["i"], at)
        want(had == gives, f"outcome {i} ({kind}) is {had} out of {m}, and the stream gives {gives}")
        self.outcomes += 1
    def letters(self):
        """Each letter shows an entry, in order; what shows none is lost by a restore that its reader was told of."""
        at = {e["hash"]: e["seq"] for e in self.entries if "hash" in e} | {self.header["commitment"]: -1}
        mine = sorted((l for l in self.options.read if l.match == self.header["match"]), key=lambda l: (l.reader, l.number))
        want(mine or not self.options.letters, "no letter is of its match")
        for i, l in enumerate(mine):
            what, secret = f"letter {l.number} to seat {l.reader} of {l.date}", self.header["commitment"] in l.reveals
            same = [o for o in mine if o.reader == l.reader and o.head in at]
            if l.head and l.head not in at:
                lost = [e for e in self.entries if e.get("act", {}).get("kind") == "restore" and (l.epoch or 0) < e["epoch"]
                        and clock(e["act"]["until"]) < l.date <= clock(e["at"]) and l.arrived <= clock(e["at"]) + timedelta(minutes=5)]
                told = any(o.number > l.number and at[o.head] >= lost[0]["seq"] for o in same) if lost else False
                want(told and not secret, f"{what}: no entry has its hash {l.head}" + (f", and the restore of entry {lost[0]['seq']} does not excuse it" if lost else ""))
            elif l.head:
                shows = at[l.head]
                want(all(at[o.head] <= shows for o in same if o.number < l.number), f"{what}: an earlier letter shows more than entry {shows}")
                want(l.epoch is None or l.epoch == (self.entries[shows].get("epoch", 0) if shows >= 0 else 0), f"{what}: its epoch is not that of entry {shows}")
                want(not secret or shows == len(self.entries) - 1, f"{what} publishes the secret with entry {shows}: entry {shows + 1} was written behind the end")
                later = [e["at"] for e in self.entries[:shows + 2]] if l.foot and l.reader.isdigit() and shows + 1 < len(self.entries) else []
                want(not later or l.date <= clock(max(later)) + timedelta(seconds=1), f"{what} shows entry {shows}, and was written after entry {shows + 1}")
        return [l.head for l in mine if l.head in at]
    def close(self):
        want(self.entries, "it has no entries")
        last, match, heads = self.entries[-1].get("hash"), self.header, self.options.hash + self.letters()
        for head in heads: want(head in self.hashes, f"it has no entry with the hash {head}")
        if self.foreign: raise NotChecked("recorded elsewhere: nothing shows whose dice and cards these are")
        if self.secret and last not in heads and (heads or not self.ended) and not self.options.partial:
            raise NotChecked(f"no letter shows its last entry, {self.entries[-1]['seq']}: entries may be cut off, or added: --letters or --hash with your newest letter, or --partial")
        return [f"match {match['match']} of {match['game']}, {len(self.entries)} entries, taken back, undone or restored {self.epoch} times",
                *(["the words of every seat have its seal"] if "seals" in match else []),
                *([f"the signature of round {match['beacon']['round']} of the beacon is NOT checked here"] if "beacon" in match else []),
                f"each follows on the one before; the last has {last}",
                f"seals are right, and {self.outcomes} dice, lots, draws are those of the stream" if self.key else
                "partial: seals, dice and draws are not checked before the secret is published",
                *(f"{head} is {self.hashes[head]}" for head in self.options.hash),
                *([f"{len(heads) - len(self.options.hash)} letters show hashes of it; what else they say is NOT checked here"] if self.options.letters else []),
                f"it ends by an act: {self.ended[0]} {json.dumps(self.entries[-1]['act']['end'])}" if self.ended else
                "whether entries are cut off at its end, the hash in your newest letter tells (--hash)"]

def check(file, options):
    record, where, opener = None, "header", gzip.open if file.endswith(".gz") else open
    try:
        data = sys.stdin.buffer.read() if file == "-" else opener(file, "rb").read()
        for line in filter(str.strip, data.decode().split("\n")):
            x = parse(line)
            if record is None:
                record = Record(x, options)
            elif not object_(x) or list(x) != ["expect"]:
                record.entry(x)
            where = f"entry {len(record.entries)}"
        where = "record"
        return "good", (record or Record({}, options)).close()
    except NotChecked as e:
        return "NOT CHECKED", [str(e)]
    except Exception as e:  # whatever cannot be read is wrong as well
        return "WRONG", [f"{where}: {e}"]

if __name__ == "__main__":
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("file", nargs="+", metavar="FILE")
    for name, what in ("hash", "a hash from the foot of a letter"), ("words", "words that a seat joined with"), ("seal", "a seal that a letter showed"):
        flags.add_argument("--" + name, action="append", default=[], help=what + "; again for more")
    flags.add_argument("--commitment", help="the commitment that your invitation named")
    flags.add_argument("--letters", action="append", default=[], metavar="MAILBOX", help="an mbox, a maildir or a directory of mails; again for more")
    flags.add_argument("--partial", action="store_true", help="take a record that stops before the match ends")
    options, bad = flags.parse_args(), 0
    options.read = [l for path in options.letters for raw in mails(path) if (l := letter(raw))]
    for file in options.file:
        verdict, said = check(file, options)
        print(f"{file}: {verdict}: " + ";\n  ".join(said) + ".")
        bad |= verdict != "good"
    sys.exit(bad)
