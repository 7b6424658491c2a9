"""Recomputes the figures of Houseway's reports from an exported journal, with the standard library alone.

    houseway audit export journal.jsonl.gz --database house.db
    python tools/recompute_reports.py journal.jsonl.gz 2026-11-16 [2026-11-22] > figures.json

It shares no code with Houseway. Rows are printed by report and table, with fields named as in the reports; each must be
found there with the same values. The file must begin with event 1; `houseway audit verify` checks that it is genuine.
"""
# fmt: off

import gzip, json, re, sys  # noqa: E401, I001
from collections import Counter, defaultdict
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

HELD, PLAYED = ("meter", "reserve", "overflow", "locked", "promotion"), ("ended", "on-paper")
OWED, SLIPS = {*HELD, "receipts", "paid"}, ("fill", "credit", "fill-voided", "credit-voided")
COLUMNS = {"contributions": ("contribution", "correction"), "voided": ("void",), "opened": ("opening",),
    "won": ("award", "rejection", "reordering"), "released": ("release", "release-returned", "limit"),
    "seeded": ("reseed", "reseed-returned", "advance", "advance-returned"),
    "adjusted": ("won", "malfunction", "above-limit", "recover-seed", "voided-round", "seed-added", "reserve-released",
                 "overflow-released", "carried", "seed-changed", "retirement", "promotion", "back-out")}
LINK = "wager fixed_pays display_falls shows_contributions order status fixed_supervisor_from prizes paytable".split()  # noqa: SIM905
SEED = {"advanced": ("opening", "reseed", "advance", "seed-added"), "recovered": ("recover-seed",),
        "returned": ("reseed-returned", "advance-returned", "back-out"), "changed": ("seed-changed",)}
EPOCH, DAY, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(days=1), timedelta(microseconds=1)
HIT = "award status at link level table seat cents meter_before_micros meter_after_micros".split()  # noqa: SIM905

def events_of(path):
    is_packed = open(path, "rb").read(2) == b"\x1f\x8b"
    with (gzip.open if is_packed else open)(path, "rt", encoding="utf-8") as file:
        for line in file:
            if (event := json.loads(line).get("event")) is not None:
                yield event, json.loads(event["body"])
def kind_of(account):
    return account.split("/")[0]
def shown(account, amount):  # as people read it: what is owed is positive
    return -amount if kind_of(account) in OWED else amount
def micros(**amounts):
    return {f"{name}_micros": amount for name, amount in amounts.items()}
def named(names, values):
    return dict(zip(names.split(), values, strict=True))
def counted(names, found):
    return [named(names, [*key, count]) for key, count in sorted(found.items())]
def text(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
def numbers(slips):
    series = defaultdict(set)
    for match in filter(None, (re.fullmatch(r"(.*?)([0-9]{1,18})", slip) for slip in slips)):
        series[match[1]].add(int(match[2]))
    return series
def new_period(tray):
    return {"before": tray, "chips": Counter(), "coin_in": 0, "accrued": 0, "ended": set(), "void": set()}
def share_of(text):  # as n/d, 0.215 or 21.5%
    return Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)

class Figures:
    """Everything that the days are made of, added up in one pass."""
    def __init__(self, path, first, last):
        self.values = {"time_zone": [(0, "America/Los_Angeles")], "cut_off_hour": [(0, 6)]}
        for _, body in events_of(path):
            for kind, id_, value in body.get("put", ()):
                if kind == "setting" and id_ in self.values:
                    self.values[id_][1:] = [(dated["since"], dated["value"]) for dated in value["values"]]
        self.since, self.until, self.zone = self.begins(first)[0], self.begins(last + DAY)[0] - 1, self.begins(last)[1]
        self.balances, self.moved, self.entities = Counter(), defaultdict(Counter), defaultdict(dict)
        self.opening, self.before, self.rates, self.shares, self.periods = None, {}, {}, {}, {}
        self.entries, self.counts, self.chips, self.begun, self.deposits = [], Counter(), [], set(), []
        self.seats, self.pace, self.hours, reached = defaultdict(Counter), Counter(), Counter(), 0
        for event, body in events_of(path):
            # Where two people have set the clock back, the day that was reached goes on.
            reached = max(reached, event["at"])
            if reached > self.until:
                break
            self.take(event, body, reached >= self.since)
        self.begin()
    def begins(self, day):
        """When a gaming day begins by the settings in force, and the time zone."""
        at = (day - EPOCH.date()) // MICROSECOND
        name, hour = ([value for since, value in found if since <= at][-1] for found in self.values.values())
        begun = datetime(day.year, day.month, day.day, hour, tzinfo=ZoneInfo(name))
        return (begun - EPOCH) // MICROSECOND, begun.tzinfo
    def begin(self):
        if self.opening is None:
            self.opening = Counter(self.balances)
            self.before = defaultdict(dict, {kind: dict(found) for kind, found in self.entities.items()})
    def take(self, event, body, counts):
        if counts:
            self.begin()
            self.wagers(event, body)
            self.count(event, body)
        for debit, credit, amount, reason, subject in body.get("post", ()):
            self.balances[debit] += amount
            self.balances[credit] -= amount
            if counts:
                self.moved[debit][reason] += amount
                self.moved[credit][reason] -= amount
                self.tables(event, debit, credit, amount, reason, subject)
        counted_out = {each[1] for each in body.get("post", ()) if counts and each[3] == "count"}
        for table in [name[5:] for name in counted_out if kind_of(name) == "drop"]:
            self.period(table)["after"] = self.balances[f"tray/{table}"]
            self.periods[table].append(new_period(self.balances[f"tray/{table}"]))
        for kind, id_, value in body.get("put", ()):
            self.entities[kind][id_] = value
    def period(self, table):
        return self.periods.setdefault(table, [new_period(self.opening[f"tray/{table}"])])[-1]
    def hour(self, at):
        return (EPOCH + at * MICROSECOND).astimezone(self.zone).isoformat(timespec="hours")
    def wagers(self, event, body):
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
            taken = [each for each in round_["taken"] if each["sensor"] == do["sensor"]]
            taking = [(each, [do["seat"]], each["wager"] * 10_000) for each in taken]
        else:
            back, table = (body["answer"].get("returned") or {}).values(), do["round"].rpartition("-")[0]
            back = [(each["seats"], each["cents"] * 10_000) for each in back]
            if event["kind"] == "round.correct":
                back = [([do["seat"]], sum(each[2] for each in body.get("post", ()) if kind_of(each[1]) == "drop"))]
            for seat, amount in [(seat, amount // len(seats)) for seats, amount in back for seat in seats]:
                self.seats[table, seat, hour]["returned_micros"] += amount
        for taken, seats, amount in taking:
            for seat in seats:
                self.seats[round_["table"], seat, hour] += Counter(wagers=1, coin_in_micros=amount // len(seats))
            for level, (contribution, reserve) in taken.get("rates", {}).items():
                key = taken["link"], level, contribution, reserve
                row = self.rates.setdefault(key, {"since_at": event["at"], "wagers": 0, "coin_in_micros": 0})
                row |= {"wagers": row["wagers"] + len(seats), "coin_in_micros": row["coin_in_micros"] + amount}
                for name, share in (("contribution", contribution), ("reserve", reserve)):
                    row = self.shares.setdefault((taken["link"], level, name), [Fraction(0), Fraction(0)])
                    row[0] += amount * share_of(share)
        for id_, level in [(id_, value) for kind, id_, value in body.get("put", ()) if kind == "level" and taking]:
            for name, field in (("contribution", "carried"), ("reserve", "reserve_carried")):
                was = self.entities["level"].get(id_, {}).get(field, "0")
                self.shares[*id_.split("/"), name][1] += Fraction(level.get(field, "0")) - Fraction(was)
    def count(self, event, body):
        self.counts[event["actor"], event["kind"]] += 1
        for kind, row in body.get("rows", ()):
            if kind == "hit":
                drawn = micros(reseeded=row["seed_drawn_micros"], reserve=row["reserve_drawn_micros"])
                drawn |= {"event": event["seq"], "by": event["actor"]}
                self.entries.append({name: row[name] for name in HIT} | drawn)
            elif kind == "round":
                self.period(row["table"])["ended" if row["outcome"] in PLAYED else "void"].add(row["round"])
                if row["round"] not in self.begun:
                    self.pace[row["table"], row["dealer"]] += 1
                    self.hours[row["table"], self.hour(row["started_at"])] += 1
                self.begun.add(row["round"])
    def tables(self, event, debit, credit, amount, reason, subject):
        if reason in ("float", *SLIPS, "count"):
            kind, table = (credit if debit == "house" else debit).split("/")
            what = f"count-{kind}" if reason == "count" else reason
            slip = subject.split(":", 1)[1] if reason in SLIPS else ""
            self.chips.append({"table": table, "event": event["seq"], "kind": what, "slip": slip, "micros": amount})
            self.period(table)["chips"][what] += amount
        if event["kind"] == "link.deposit":
            bank, sign = (debit, 1) if kind_of(debit) == "bank" else (credit, -1)
            self.deposits.append({"link": bank.split("/")[1], "event": event["seq"], "micros": sign * amount})
        if reason in ("receipt", "void", "correction", "contribution", "reserve"):
            for name, sign, other in ((debit, 1, credit), (credit, -1, debit)):
                if kind_of(name) == "drop":
                    self.period(name.split("/")[1])["coin_in"] += sign * amount
                elif kind_of(name) == "receipts" and kind_of(other) in ("meter", "reserve", "overflow"):
                    self.period(name.split("/")[1])["accrued"] += sign * amount
    def by(self, account, *reasons):
        return shown(account, sum(self.moved[account][reason] for reason in reasons))
    def reports(self):
        sheets, periods = self.played()
        pace = {"dealers": counted("table dealer rounds", self.pace), "hours": counted("table hour rounds", self.hours)}
        return {"reconciliation": self.reconciliation(), "jackpots": {"entries": self.entries}, "pace": pace,
                "stiff-sheet": {"sheets": sheets, "slips": self.chips}, "coin-in": {"seats": self.coin_in()},
                "staff": {"counts": counted("actor kind times", self.counts)}, "seed": {"levels": self.seeds()},
                "slips": self.slips(), "malfunctions": {"incidents": self.incidents()}, "prizes": self.prizes(),
                "deposits": {"links": list(self.links()), "deposits": self.deposits},
                "master-games": {"periods": periods}, "changes": self.changes(),
                "promotions": {"promotions": self.promotions()}}
    def over(self, name, parts):
        """An account over the days: opening, parts that moved, closing, and what is left over."""
        opening, closing = shown(name, self.opening[name]), shown(name, self.balances[name])
        return micros(opening=opening, **parts, closing=closing, residual=closing - opening - sum(parts.values()))
    def reconciliation(self):
        names = [name for name in sorted({*self.opening, *self.balances})
                 if kind_of(name) not in ("house", "tray", "drop", "receipts", "variance")]
        moved = {name: {"moved": shown(name, sum(self.moved[name].values()))} for name in names}
        accounts = [{"account": name} | self.over(name, moved[name]) for name in names]
        movements = [{"account": name, "reason": reason, "micros": shown(name, amount)}
                     for name in names for reason, amount in sorted(self.moved[name].items())]
        levels = [{"link": id_, "level": level} | self.over(f"meter/{id_}/{level}", {
            column: self.by(f"meter/{id_}/{level}", *why) for column, why in COLUMNS.items()})
            for id_, link in sorted(self.entities["link"].items()) for level in sorted(link["levels"])]
        rates = sorted(self.rates.items(), key=lambda each: (each[0][:2], each[1]["since_at"]))
        rates = [named("link level contribution reserve", key) | row for key, row in rates]
        shares = []
        for (link, level, name), (exact, carried) in sorted(self.shares.items()):
            posted = sum(self.by(f"{kind}/{link}/{level}", name) for kind in ("meter", "overflow", "reserve"))
            shares.append({"link": link, "level": level, "share": name, "computed": str(exact), "carried": str(carried),
                           "posted_micros": posted, "difference": str(posted - exact + carried)})
        return {"levels": levels, "accounts": accounts, "movements": movements, "rates": rates, "shares": shares}
    def won(self, chips, before, after):
        fills, credit, drop = *(chips[kind] - chips[f"{kind}-voided"] for kind in SLIPS[:2]), chips["count-drop"]
        opener, closer = before + chips["float"], after + chips["count-tray"]
        return {"opener": opener, "fills": fills, "credits": credit, "drop": drop, "closer": closer,
                "win": closer + credit + drop - opener - fills}
    def played(self):
        sheets, periods = [], []
        for table in sorted(self.entities["table"]):
            left, mine = self.balances[f"tray/{table}"], self.period(table) and self.periods[table]
            sheet = self.won(sum((each["chips"] for each in mine), Counter()), self.opening[f"tray/{table}"], left)
            sheets.append({"table": table} | micros(**sheet, variance=-sum(self.moved[f"variance/{table}"].values())))
            for number, each in enumerate(mine, 1):
                sums = self.won(each["chips"], each["before"], each.get("after", left))
                sums = {name: sums[name] for name in ("fills", "credits", "drop", "win")}
                rounds = {"rounds": len(each["ended"]), "voids": len(each["void"] - each["ended"])}
                periods.append({"table": table, "period": number} | rounds
                               | micros(**sums, coin_in=each["coin_in"], accrued=each["accrued"]))
        return sheets, periods
    def coin_in(self):
        fields, seats = ("rounds", "wagers", "coin_in_micros", "returned_micros"), sorted(self.seats.items())
        return [named("table seat hour", key) | {field: row[field] for field in fields} for key, row in seats]
    def incidents(self):
        before, found = self.before["paper"], []
        told, told_before = ({each["subject"]: each["fields"]["reported_at"] for each in some.values()
                              if each["register"] == "incident-report"} for some in (self.entities["paper"], before))
        for id_, each in self.entities["paper"].items():
            due = each["fields"].get("due_at")
            over = before.get(id_, {}).get("until") is not None and (due is None or id_ in told_before)
            if each["register"] == "incident" and not over:
                row = {"known_at": each["since"], "incident": id_, "due_at": due, "repaired_at": each["until"]}
                found.append(row | {"reported_at": told.get(id_)})
        return sorted(found, key=lambda row: list(row.values())[:2])
    def changes(self):
        rows, known = [], {(id_, text(each)) for id_, old in self.before["setting"].items() for each in old["values"]}
        for id_, link in sorted(self.entities["link"].items()):
            old = self.before["link"].get(id_, {"levels": {}})
            sides = [(None, *({name: each[name] for name in LINK if name in each} for each in (old, link)))]
            sides += [(level, old["levels"].get(level, {}), link["levels"][level]) for level in sorted(link["levels"])]
            rows += [{"link": id_, "level": level, "parameter": name, "version": link["version"],
                      "before": text(was[name]) if name in was else None, "after": text(now.get(name))}
                     for level, was, now in sides for name in sorted({*was, *now})
                     if name not in was or was[name] != now.get(name)]
        values = [{"name": id_, "value": text(each["value"]), "since_at": each["since"]}
                  for id_, setting in sorted(self.entities["setting"].items()) for each in setting["values"]
                  if self.since <= each["since"] <= self.until or (id_, text(each)) not in known]
        return {"parameters": rows, "settings": values}
    def links(self):
        for id_, link in sorted(self.entities["link"].items()):
            names, bank = [f"{kind}/{id_}/{level}" for level in link["levels"] for kind in HELD], f"bank/{id_}"
            hold, balance = -sum(self.balances[name] for name in names), self.balances[bank]
            if link["kind"] == "progressive":
                yield {"link": id_} | micros(
                    opening=-sum(self.opening[name] for name in names), should_hold=hold, balance=balance,
                    accrued=sum(self.by(name, "contribution", "reserve", "correction", "void") for name in names),
                    paid=-self.by(f"paid/{id_}", "payment", "take-back", "promotion-paid"), due=max(0, hold - balance),
                    deposits=self.by(bank, "deposit"), withdrawals=self.by(bank, "withdrawal"))
    def seeds(self):
        return [named("link level", name.split("/")[1:]) | self.over(name, {
            part: self.by(name, *reasons) for part, reasons in SEED.items()})
            for name in sorted({*self.opening, *self.balances}) if kind_of(name) == "seed"]
    def prizes(self):
        due = []
        for id_, slip in sorted(self.entities["slip"].items()):
            duties = slip.get("duties")
            if duties and slip.get("void") is None and (duties["form"] or duties["withheld"] or duties["check"]):
                row = {"slip": id_, "handed_at": (slip.get("handed") or {}).get("at"), "cents": slip["cents"]}
                due.append(row | {"kept_until_at": duties["kept_until"], "withheld_cents": duties["withheld"]})
        return {"prizes": [row for row in due if row["slip"] not in self.before["slip"]],
                "open": [row for row in due if row["handed_at"] is None],
                "kept": [row for row in due if (row["kept_until_at"] or 0) > self.until]}
    def slips(self):
        old, now, unused = self.before["slip"], sorted(self.entities["slip"].items()), []
        ever, fresh = numbers(self.entities["slip"]), {id_ for id_, _ in now if id_ not in old}
        for name, new in sorted(numbers(fresh).items()):
            first = max([number for number in ever[name] if number < min(new)], default=min(new) - 1) + 1
            unused += [{"slip": f"{name}{n}", "series": name} for n in range(first, max(new)) if n not in ever[name]]
        void = [{"slip": id_, "cents": slip["cents"], "at": slip["void"]["at"]} for id_, slip in now
                if slip.get("void") and not old.get(id_, {}).get("void")]
        undone = [{"award": each["award"], "event": each["event"], "cents": each["cents"]} for each in self.entries
                  if each["status"] in ("rejected", "taken-back", "backed-out")]
        return {"unused": unused, "voided": void, "undone": undone}
    def promotions(self):
        now, old = ({f"promotion/{id_}/{level}": each for id_, link in links["link"].items()
                     for level, each in link.get("promotions", {}).items()} for links in (self.entities, self.before))
        rows = [named("link level", name.split("/")[1:]) | {"return_by_at": each["return_by"]} | micros(
            put_aside=each["put_aside_micros"], paid=-self.by(name, "promotion-paid"), left=-self.balances[name],
            moved=-self.by(name, "retirement")) for name, each in now.items() if not old.get(name, {}).get("ended_at")]
        return sorted(rows, key=lambda row: (row["return_by_at"], row["link"], row["level"]))
if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4:
        sys.exit("name an exported journal and a gaming day as in 2026-11-16, or a first and a last one")
    days = [date.fromisoformat(text) for text in sys.argv[2:]]
    print(json.dumps(Figures(sys.argv[1], days[0], days[-1]).reports()))
