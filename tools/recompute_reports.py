"""Recomputes the figures of Houseway's reports from an exported journal, with the standard library alone.

    houseway audit export journal.jsonl.gz --database house.db
    python tools/recompute_reports.py journal.jsonl.gz 2026-11-16 [2026-11-22] > figures.json

It shares no code with Houseway. It reads the events one after the other and prints, by report and table, rows whose
fields are named as in the reports; each must be found there with the same values. `houseway audit verify` checks that
the file is genuine; here the sums are checked. The file must begin with event 1.
"""
# fmt: off

import gzip
import json
import re
import sys
from collections import Counter, defaultdict
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

HELD, SLIPS = ("meter", "reserve", "overflow", "locked"), ("fill", "credit", "fill-voided", "credit-voided")
OWED = {"meter", "reserve", "overflow", "locked", "receipts", "paid"}
COLUMNS = {
    "contributions": ("contribution", "correction"), "voided": ("void",), "opened": ("opening",),
    "won": ("award", "rejection", "reordering"), "released": ("release", "release-returned", "limit"),
    "seeded": ("reseed", "reseed-returned", "advance", "advance-returned"),
    "adjusted": ("won", "malfunction", "above-limit", "recover-seed", "voided-round", "seed-added", "reserve-released",
                 "overflow-released", "carried", "seed-changed", "retirement", "back-out"),
}
SEED = {"advanced": ("opening", "reseed", "advance", "seed-added"), "recovered": ("recover-seed",),
        "returned": ("reseed-returned", "advance-returned", "back-out"), "changed": ("seed-changed",)}
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

def events_of(path):
    """The events of a file in order, each with its body."""
    opened = gzip.open if open(path, "rb").read(2) == b"\x1f\x8b" else open
    with opened(path, "rt", encoding="utf-8") as file:
        for line in file:
            event = json.loads(line).get("event")
            if event is not None:
                yield event, json.loads(event["body"])

def kind_of(account):
    return account.split("/")[0]

def shown(account, amount):
    """An amount as people read it: what is owed is positive."""
    return -amount if kind_of(account) in OWED else amount

def micros(**amounts):
    return {f"{name}_micros": amount for name, amount in amounts.items()}

def place(account):
    return dict(zip(("link", "level"), account.split("/")[1:], strict=True))

def share_of(text):
    """A share written as n/d, 0.215 or 21.5%."""
    return Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)

class Figures:
    """Everything that the days are made of, added up in one pass."""

    def __init__(self, path, first, last):
        self.values = {"time_zone": [(0, "America/Los_Angeles")], "cut_off_hour": [(0, 6)]}
        for _, body in events_of(path):
            for kind, id_, value in body.get("put", ()):
                if kind == "setting" and id_ in self.values:
                    self.values[id_][1:] = [(dated["since"], dated["value"]) for dated in value["values"]]
        self.since, self.until = self.begins(first), self.begins(last + timedelta(days=1)) - 1
        self.zone = self.in_force(last)[0]
        self.balances, self.moved, self.entities = Counter(), defaultdict(Counter), defaultdict(dict)
        self.opening, self.before = None, {}
        self.rates, self.shares = {}, {}
        self.entries, self.counts, self.chips, self.rounds = [], Counter(), [], {}
        self.seats, self.drops, self.pace, self.hours = defaultdict(Counter), defaultdict(Counter), Counter(), Counter()
        reached = 0
        for event, body in events_of(path):
            # Where two people have set the clock back, the day that was reached goes on.
            reached = max(reached, event["at"])
            if reached > self.until:
                break
            if reached >= self.since:
                self.begin()
            self.take(event, body, reached >= self.since)
        self.begin()

    def in_force(self, day):
        """The time zone and the cut-off hour of a gaming day."""
        at = (day - EPOCH.date()) // timedelta(microseconds=1)
        zone, hour = ([value for since, value in found if since <= at][-1] for found in self.values.values())
        return ZoneInfo(zone), hour

    def begins(self, day):
        zone, hour = self.in_force(day)
        return (datetime(day.year, day.month, day.day, hour, tzinfo=zone) - EPOCH) // timedelta(microseconds=1)

    def begin(self):
        if self.opening is None:
            self.opening = Counter(self.balances)
            self.before = {kind: dict(found) for kind, found in self.entities.items()}

    def take(self, event, body, counts):
        if counts:
            self.wagers(event, body)
            self.count(event, body)
        for debit, credit, amount, reason, subject in body.get("post", ()):
            self.balances[debit] += amount
            self.balances[credit] -= amount
            if counts:
                self.moved[debit][reason] += amount
                self.moved[credit][reason] -= amount
                self.tables(event, debit, credit, amount, reason, subject)
        for kind, id_, value in body.get("put", ()):
            self.entities[kind][id_] = value

    def hour(self, at):
        return (EPOCH + timedelta(microseconds=at)).astimezone(self.zone).isoformat(timespec="hours")

    def wagers(self, event, body):
        """Jackpot wagers: coin-in by seat, and what the rates make of them."""
        if event["kind"] not in ("round.start", "round.correct", "round.void", "round.misdeal", "round.decide"):
            return
        do, hour, taking = body["do"], self.hour(event["at"]), []
        rounds = [value for kind, _, value in body.get("put", ()) if kind == "round" and value is not None]
        if event["kind"] == "round.start":
            (round_,) = [each for each in rounds if each["phase"] == "playing"]
            for seat in round_.get("occupied", ()):
                self.seats[round_["table"], seat, hour]["rounds"] += 1
            taking = [(each, each["seats"], len(each["seats"]) * each["wager"] * 10_000) for each in round_["taken"]]
        elif event["kind"] == "round.correct" and do["made"]:
            (round_,) = [each for each in rounds if each["id"] == do["round"]]
            (taken,) = [each for each in round_["taken"] if each["sensor"] == do["sensor"]]
            taking = [(taken, [do["seat"]], taken["wager"] * 10_000)]
        else:
            table, back = do["round"].rpartition("-")[0], (body["answer"].get("returned") or {}).values()
            back = [(each["seats"], each["cents"] * 10_000) for each in back]
            if event["kind"] == "round.correct":
                back = [([do["seat"]], sum(each[2] for each in body.get("post", ()) if kind_of(each[1]) == "drop"))]
            for seats, amount in back:
                for seat in seats:
                    self.seats[table, seat, hour]["returned_micros"] += amount // len(seats)
        for taken, seats, amount in taking:
            for seat in seats:
                self.seats[round_["table"], seat, hour] += Counter(wagers=1, coin_in_micros=amount // len(seats))
            for level, (contribution, reserve) in taken.get("rates", {}).items():
                key = taken["link"], level, contribution, reserve
                row = self.rates.setdefault(key, {"since_at": event["at"], "wagers": 0, "coin_in_micros": 0})
                row |= {"wagers": row["wagers"] + len(seats), "coin_in_micros": row["coin_in_micros"] + amount}
                for name, text in (("contribution", contribution), ("reserve", reserve)):
                    row = self.shares.setdefault((taken["link"], level, name), [Fraction(0), Fraction(0)])
                    row[0] += amount * share_of(text)
        levels = [(id_, value) for kind, id_, value in body.get("put", ()) if kind == "level" and taking]
        for id_, level in levels:
            for name, field in (("contribution", "carried"), ("reserve", "reserve_carried")):
                was = self.entities["level"].get(id_, {}).get(field, "0")
                self.shares[*id_.split("/"), name][1] += Fraction(level.get(field, "0")) - Fraction(was)

    def count(self, event, body):
        self.counts[event["actor"], event["kind"]] += 1
        for kind, row in body.get("rows", ()):
            if kind == "hit":
                same = {name: row[name] for name in ("status", "at", "link", "cents")}
                same |= {"award": row["award"], "event": event["seq"], "by": event["actor"]}
                self.entries.append(same | micros(
                    meter_before=row["meter_before_micros"], meter_after=row["meter_after_micros"],
                    reseeded=row["seed_drawn_micros"], reserve=row["reserve_drawn_micros"]))
            elif kind == "round":
                outcome = "rounds" if row["outcome"] in ("ended", "on-paper") else "voids"
                if row["round"] not in self.rounds:
                    self.pace[row["table"], row["dealer"]] += 1
                    self.hours[row["table"], self.hour(row["started_at"])] += 1
                self.rounds.setdefault(row["round"], set()).add(outcome)

    def tables(self, event, debit, credit, amount, reason, subject):
        if reason in ("float", *SLIPS, "count"):
            kind, table = (credit if debit == "house" else debit).split("/")
            what = f"count-{kind}" if reason == "count" else reason
            slip = subject.split(":", 1)[1] if reason in SLIPS else ""
            self.chips.append({"table": table, "event": event["seq"], "kind": what, "slip": slip, "micros": amount})
        if reason in ("receipt", "void", "correction", "contribution", "reserve"):
            for name, sign, other in ((debit, 1, credit), (credit, -1, debit)):
                if kind_of(name) == "drop":
                    self.drops[name.split("/")[1]]["coin_in_micros"] += sign * amount
                elif kind_of(name) == "receipts" and kind_of(other) in ("meter", "reserve", "overflow"):
                    self.drops[name.split("/")[1]]["accrued_micros"] += sign * amount

    # What the reports say
    def by(self, account, *reasons):
        return shown(account, sum(self.moved[account][reason] for reason in reasons))

    def reports(self):
        pace = [{"table": t, "dealer": d, "rounds": n} for (t, d), n in sorted(self.pace.items())]
        hours = [{"table": t, "hour": h, "rounds": n} for (t, h), n in sorted(self.hours.items())]
        staff = [{"actor": a, "kind": k, "times": n} for (a, k), n in sorted(self.counts.items())]
        return {"reconciliation": self.reconciliation(), "jackpots": {"entries": self.entries},
                "stiff-sheet": {"sheets": self.sheets(), "slips": self.chips}, "coin-in": {"seats": self.coin_in()},
                "pace": {"dealers": pace, "hours": hours}, "staff": {"counts": staff}, "slips": self.slips(),
                "malfunctions": {"incidents": self.incidents()}, "seed": {"levels": self.seeds()},
                "deposits": {"links": self.links()}, "master-games sums": self.games()}

    def over(self, name, parts):
        """An account over the days: opening, parts that moved, closing, and what is left over."""
        opening, closing = shown(name, self.opening[name]), shown(name, self.balances[name])
        return micros(opening=opening, **parts, closing=closing, residual=closing - opening - sum(parts.values()))

    def reconciliation(self):
        names = [name for name in sorted({*self.opening, *self.balances})
                 if kind_of(name) not in ("house", "tray", "drop", "receipts", "variance")]
        accounts = [{"account": name} | self.over(name, {"moved": shown(name, sum(self.moved[name].values()))})
                    for name in names]
        movements = [{"account": name, "reason": reason, "micros": shown(name, moved)}
                     for name in names for reason, moved in sorted(self.moved[name].items())]
        levels = [place(name) | self.over(name, {column: self.by(name, *why) for column, why in COLUMNS.items()})
                  for name in names if kind_of(name) == "meter"]
        rates = [dict(zip(("link", "level", "contribution", "reserve"), key, strict=True)) | row
                 for key, row in sorted(self.rates.items(), key=lambda each: (each[0][:2], each[1]["since_at"]))]
        shares = []
        for (link, level, name), (exact, carried) in sorted(self.shares.items()):
            kinds = ("meter", "overflow") if name == "contribution" else ("reserve",)
            posted = sum(self.by(f"{kind}/{link}/{level}", name) for kind in kinds)
            shares.append({"link": link, "level": level, "share": name, "computed": str(exact), "carried": str(carried),
                           "posted_micros": posted, "difference": str(posted - exact + carried)})
        return {"levels": levels, "accounts": accounts, "movements": movements, "rates": rates, "shares": shares,
                "awards": self.entries}

    def sheets(self):
        found = []
        for table in sorted(self.entities["table"]):
            sums = Counter()
            for chip in self.chips:
                sums[chip["kind"]] += chip["micros"] if chip["table"] == table else 0
            fills, credit = (sums[kind] - sums[f"{kind}-voided"] for kind in SLIPS[:2])
            opener, drop = self.opening[f"tray/{table}"] + sums["float"], sums["count-drop"]
            closer = self.balances[f"tray/{table}"] + sums["count-tray"]
            found.append({"table": table} | micros(
                opener=opener, fills=fills, credits=credit, drop=drop, closer=closer,
                win=closer + credit + drop - opener - fills, variance=-sum(self.moved[f"variance/{table}"].values())))
        return found

    def games(self):
        found = {row["table"]: {"win_micros": row["win_micros"], "coin_in_micros": 0, "accrued_micros": 0, "rounds": 0}
                 for row in self.sheets()}
        for table, sums in self.drops.items():
            found[table] |= sums
        for round_, outcomes in self.rounds.items():
            found[round_.rpartition("-")[0]]["rounds"] += "rounds" in outcomes
        return found

    def coin_in(self):
        fields = ("rounds", "wagers", "coin_in_micros", "returned_micros")
        return [{"table": table, "seat": seat, "hour": hour} | {field: row[field] for field in fields}
                for (table, seat, hour), row in sorted(self.seats.items())]

    def incidents(self):
        papers, before, found = self.entities["paper"], self.before.get("paper", {}), []
        told, told_before = ({each["subject"]: each["fields"]["reported_at"] for each in some.values()
                              if each["register"] == "incident-report"} for some in (papers, before))
        for id_, each in papers.items():
            due = each["fields"].get("due_at")
            over = before.get(id_, {}).get("until") is not None and (due is None or id_ in told_before)
            if each["register"] == "incident" and not over:
                found.append({"known_at": each["since"], "incident": id_, "due_at": due, "repaired_at": each["until"],
                              "reported_at": told.get(id_)})
        return sorted(found, key=lambda row: list(row.values())[:2])

    def links(self):
        found = []
        for id_, link in sorted(self.entities["link"].items()):
            names = [f"{kind}/{id_}/{level}" for level in link["levels"] for kind in HELD]
            if link["kind"] == "progressive":
                hold, balance = -sum(self.balances[name] for name in names), self.balances[f"bank/{id_}"]
                found.append({"link": id_} | micros(
                    opening=-sum(self.opening[name] for name in names), should_hold=hold, balance=balance,
                    accrued=sum(self.by(name, "contribution", "reserve", "correction", "void") for name in names),
                    paid=-self.by(f"paid/{id_}", "payment", "take-back"), due=max(0, hold - balance),
                    deposits=self.by(f"bank/{id_}", "deposit"), withdrawals=self.by(f"bank/{id_}", "withdrawal")))
        return found

    def seeds(self):
        return [place(name) | self.over(name, {part: self.by(name, *reasons) for part, reasons in SEED.items()})
                for name in sorted({*self.opening, *self.balances}) if kind_of(name) == "seed"]

    def slips(self):
        def numbers(slips):
            series = defaultdict(set)
            for match in filter(None, (re.fullmatch(r"(.*?)([0-9]{1,18})", slip) for slip in slips)):
                series[match[1]].add(int(match[2]))
            return series

        old, ever, unused = self.before.get("slip", {}), numbers(self.entities["slip"]), []
        for name, new in sorted(numbers(set(self.entities["slip"]) - set(old)).items()):
            first = max([number for number in ever[name] if number < min(new)], default=min(new) - 1) + 1
            unused += [{"slip": f"{name}{n}", "series": name} for n in range(first, max(new)) if n not in ever[name]]
        return {"unused": unused}

if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4:
        sys.exit("name an exported journal and a gaming day as in 2026-11-16, or a first and a last one")
    days = [date.fromisoformat(text) for text in sys.argv[2:]]
    print(json.dumps(Figures(sys.argv[1], days[0], days[-1]).reports()))
