"""Win pages: what they show, that it proves itself, and that it is the same wherever and whenever it is made."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from houseway.manager.printing.form_html import form_html
from houseway.manager.printing.forms import Form
from houseway.manager.printing.pdf_pages import form_pdf
from houseway.manager.printing.qr_codes import MOST_BYTES, qr_svg
from houseway.manager.printing.slip_form import slip_form
from houseway.manager.printing.win_form import win_form
from houseway.manager.store.keys import load_keys
from houseway.manager.views.slip_views import HandOverView, HouseView, PrizeDutiesView, SlipPrintView
from houseway.manager.views.win_page_view import WinPageView
from tests.manager.floors import PEOPLE, badge
from tests.manager.printing.conftest import PrintedHouse
from tests.programs import installed

TOOL = Path(__file__).resolve().parents[3] / "tools" / "verify_proof.py"


def texts_of(picture: bytes | Path) -> list[str]:
    """What the QR codes on a picture say."""
    zxingcpp = pytest.importorskip("zxingcpp")
    image = pytest.importorskip("PIL.Image")
    with image.open(io.BytesIO(picture) if isinstance(picture, bytes) else picture) as opened:
        return [code.text for code in zxingcpp.read_barcodes(opened.convert("L"))]


def picture_of(form: Form, dots: float = 300.0) -> bytes:
    """The PDF of a form as a printer's picture, set by the same typesetter."""
    import typst

    here = files("houseway.manager.printing")
    made = typst.compile(
        here.joinpath("templates", "form.typ").read_bytes(), format="png", ppi=dots,
        font_paths=typst.Fonts(include_system_fonts=False, font_paths=[str(here.joinpath("fonts"))]),
        sys_inputs={"data": msgspec.json.encode(form).decode()},
    )  # fmt: skip
    assert isinstance(made, bytes), "the form is on one page"
    return made


def browser() -> str:
    return installed("chromium", "chromium", "chromium-browser", "google-chrome")


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


def longest_page(page: WinPageView) -> WinPageView:
    """A page on which every field is there, and long: of the ten millionth event, under many hands' names."""
    assert page.slip is not None
    duties = PrizeDutiesView(
        day="2026-12-31", wager_cents=500, form_from_cents=200_000, form_multiple=300, form=True,
        withholding_above_cents=500_000, withholding_percent=24, withheld_cents=24_000_000, check_from_cents=300_000,
        check=True, check_by_at=page.paid_at + 86_400_000_000, kept_until_at=page.paid_at + 604_800_000_000,
    )  # fmt: skip
    handed = HandOverView(
        method="check", by="Cage 1", second="Supervisor 3", at=page.paid_at, reference="00012345678",
        booth="Main cage 2", form="2026-000417", withheld_cents=24_000_000, deck_count=53,
        override="as the commission's letter 2026-3 allows",
    )  # fmt: skip
    meter = page.meter
    assert meter is not None
    text = page.proof.text
    assert text is not None
    first, _, rest = text.partition("\n\n")
    hashes = "".join(f"\n{'A' * 43}=" for _ in range(24))
    ids = {page.dealer: "Maximiliane Featherstonehaugh", page.verified_by: "Bartholomew Cholmondeley"}
    return replace(
        page,
        house=HouseView(name="The Grand Example Card Room and Lounge", licence="tribal", zone="America/Los_Angeles"),
        slip=replace(page.slip, duties=duties, handed=handed), duties=duties, people={**page.people, **ids},
        reliefs=(page.dealer, page.verified_by), hand_cards=("As", "Ks", "Qs", "Js", "Ts", "Jk", "9s"),
        meter=replace(meter, advanced_micros=1_234_567, before_micros=1_234_567_891_234),
        surveillance_reference="camera 4, 12:31:07, tape 2026-17", surveillance_by=page.verified_by,
        override="the button was pressed for the wrong spot before", game_title="6 Card Fortune Pai Gow Poker",
        cents=100_000_000, proof=replace(page.proof, text=first + hashes + "\n\n" + rest, event=9_999_999),
    )  # fmt: skip


# ---------------------------------------------------------------- what it shows


def test_the_page_says_what_happened_to_the_meter(printed: PrintedHouse) -> None:
    page = printed.page()
    assert (page.place, page.winners, page.seat, page.clause) == (1, 2, 5, "fpgpj/rules/9.a")
    meter = page.meter
    assert meter is not None
    # Nobody had wagered between the hit and the lock, so that the sum is exact.
    assert meter.after_micros == (
        meter.before_micros
        + meter.advanced_micros
        - page.cents * 10_000
        + meter.reseeded_micros
        + meter.released_micros
    )
    second = printed.page(f"{page.round}/2")
    assert (second.place, second.winners) == (2, 2)
    assert second.meter is not None
    # The next winner begins where the meter was left.
    assert second.meter.before_micros == meter.after_micros
    assert (page.prepared_by, page.verified_by, page.dealer) == ("Dealer 17", "Executive 1", "Dealer 17")


def test_the_slip_that_counts_is_on_the_page(printed: PrintedHouse) -> None:
    page = printed.page(f"{printed.page().round}/2")
    assert page.slip is not None
    assert (page.slip.id, page.slip.void) == ("WIN-000003", None)
    void = printed.slip("WIN-000002").void
    assert void is not None
    assert void.replaced_by == "WIN-000003"


def test_every_field_of_the_form_is_in_both_papers(printed: PrintedHouse) -> None:
    form = win_form(printed.page(), None)
    html = form_html(form)
    values = [field.value for block in form.blocks for field in block.fields]
    assert [value for value in values if value.replace("'", "&#39;") not in html] == []
    for wanted in ("Cards", "Clause", "Reseed", "Check number", "Form reference", "Surveillance", "Cards kept until"):
        assert any(field.label == wanted for block in form.blocks for field in block.fields), wanted


# ---------------------------------------------------------------- it proves itself


def test_the_code_on_the_paper_is_a_complete_proof(printed: PrintedHouse, tmp_path: Path) -> None:
    page = printed.page()
    (read,) = texts_of(picture_of(win_form(page, None)))
    assert read == page.proof.text
    file = tmp_path / "code.txt"
    file.write_text(read, encoding="utf-8")
    asked = [sys.executable, str(TOOL), "--key", *printed.keys(), str(file)]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert told.startswith(f"proven: event {page.proof.event} of houseway/"), told
    for altered in (read.replace('"seat":5', '"seat":4'), read.replace('"cents":', '"cents":1'), read[:-1]):
        assert altered != read
        file.write_text(altered, encoding="utf-8")
        assert subprocess.run(asked, capture_output=True, check=False).returncode == 1


def test_the_code_is_read_from_the_page_in_a_browser(printed: PrintedHouse, tmp_path: Path) -> None:
    chromium, page = browser(), printed.page()
    source, picture, paper = (tmp_path / name for name in ("page.html", "page.png", "page.pdf"))
    source.write_text(form_html(win_form(longest_page(page), None)), encoding="utf-8")
    common = [chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    shown = ["--hide-scrollbars", "--window-size=800,1100", "--force-device-scale-factor=2"]
    subprocess.run([*common, *shown, f"--screenshot={picture}", source.as_uri()], check=True, capture_output=True)
    assert texts_of(picture) == [longest_page(page).proof.text]
    printing = ["--no-pdf-header-footer", f"--print-to-pdf={paper}"]
    subprocess.run([*common, *printing, source.as_uri()], check=True, capture_output=True)
    assert pages_of(paper.read_bytes()) == 1, "the longest page still fits on one sheet"


def test_the_longest_proof_fits_its_code(printed: PrintedHouse) -> None:
    text = longest_page(printed.page()).proof.text
    assert text is not None
    assert 1_900 < len(text.encode()) < MOST_BYTES
    assert qr_svg(text) is not None
    assert qr_svg("x" * (MOST_BYTES + 1)) is None


def test_a_page_without_a_head_says_so(printed: PrintedHouse) -> None:
    page = printed.page()
    bare = win_form(replace(page, proof=replace(page.proof, text=None, head=None)), None)
    assert bare.code is None
    assert "none yet" in form_html(bare)
    assert form_pdf(bare)


# ---------------------------------------------------------------- the papers


def test_the_same_form_gives_the_same_bytes(printed: PrintedHouse, tmp_path: Path) -> None:
    form = win_form(printed.page(), None)
    made = form_pdf(form)
    assert made == form_pdf(form)
    assert b"CreationDate" not in made
    assert b"ModDate" not in made
    assert pages_of(made) == 1
    (tmp_path / "form.json").write_bytes(msgspec.json.encode(form))
    script = (
        "import sys, msgspec; from houseway.manager.printing.forms import Form; "
        "from houseway.manager.printing.pdf_pages import form_pdf; "
        "sys.stdout.buffer.write(form_pdf(msgspec.json.decode(open(sys.argv[1], 'rb').read(), type=Form)))"
    )
    elsewhere = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "form.json")], capture_output=True, check=True, cwd=tmp_path,
        env={**os.environ, "TZ": "Asia/Tokyo", "LC_ALL": "C", "SOURCE_DATE_EPOCH": "1"},
    )  # fmt: skip
    assert elsewhere.stdout == made


def test_the_paper_uses_its_own_fonts_alone(printed: PrintedHouse) -> None:
    made = form_pdf(win_form(longest_page(printed.page()), None))
    names = {name.split(b"+")[-1] for name in re.findall(rb"/BaseFont\s*/([A-Za-z0-9+-]+)", made)}
    assert names <= {b"Inter-Regular", b"Inter-Bold", b"DejaVuSansMono", b"DejaVuSansMono-Bold"}, names
    assert pages_of(made) == 1


@pytest.mark.parametrize(
    ("printed_as", "marks"),
    [
        (None, ("NOT A SLIP",)),
        (SlipPrintView(copy="original", by="S", at=0, reprint=0, reason="", marks=("ORIGINAL",)), ("ORIGINAL",)),
        (
            SlipPrintView(copy="duplicate", by="S", at=0, reprint=2, reason="jam", marks=("DUPLICATE", "REPRINT 2")),
            ("DUPLICATE", "REPRINT 2"),
        ),
    ],
)
def test_a_paper_is_marked_as_the_print_that_it_is(
    printed: PrintedHouse, printed_as: SlipPrintView | None, marks: tuple[str, ...]
) -> None:
    form = win_form(printed.page(), printed_as)
    assert form.marks == marks
    assert all(f">{mark}<" in form_html(form) for mark in marks)


def test_a_void_slip_is_crossed_out(printed: PrintedHouse) -> None:
    page = printed.page(f"{printed.page().round}/2")
    form = win_form(replace(page, slip=printed.slip("WIN-000002")), None)
    assert form.marks == ("VOID", "NOT A SLIP")
    assert 'class="void"' in form_html(form)
    assert "WIN-000003 counts instead" in form_html(form)
    assert pages_of(form_pdf(form)) == 1


def test_a_fill_slip_has_its_chips_and_its_marks(printed: PrintedHouse) -> None:
    slip, house = printed.slip("FILL-000001"), printed.page().house
    form = slip_form(slip, house, {}, slip.prints[-1])
    assert form.marks == ("REPRINT 1",)
    assert "original" not in form_html(form).lower(), "one paper alone has that word on it"
    assert form.tables[0].rows == (
        ("$25.00", "60", "$1,500.00"),
        ("$5.00", "180", "$900.00"),
        ("$1.00", "100", "$100.00"),
    )
    assert form.tables[0].total == ("Total", "340", "$2,500.00")
    assert pages_of(form_pdf(form)) == 1
    unknown = slip_form(replace(slip, chips={}), house, {}, None)
    assert set(unknown.tables[0].rows) == {("", "", "")}, "lines to write on"


def test_a_page_loads_nothing_and_runs_nothing(printed: PrintedHouse) -> None:
    page = printed.page()
    hostile = '<script>alert(1)</script>" onload="x'
    html = form_html(
        win_form(replace(page, house=replace(page.house, name=hostile), deck=hostile, override=hostile), None)
    )
    assert "<script" not in html
    assert 'onload="' not in html
    assert "default-src 'none'" in html
    links = re.findall(r"(?:src|href|url)\s*[=(]\s*[\"']?([^\"')\s]{0,30})", html)
    assert {link.split(",")[0][:20] for link in links} <= {"data:font/woff2;base"}
    assert "://" not in html.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert form_pdf(win_form(replace(page, deck='#read("/etc/passwd")', override="$x$ *a* #sys.inputs"), None))


def test_no_paper_holds_a_badge_a_seed_or_a_secret(printed: PrintedHouse) -> None:
    house, keys = printed.house, load_keys(printed.house.keys)
    house.play_known()
    page = printed.page()
    forms = [
        win_form(page, None),
        *(slip_form(printed.slip(id_), page.house, page.people, None) for id_ in house.floor().slips),
    ]
    texts = [
        str(page.to_json()),
        *map(form_html, forms),
        *(str(printed.slip(id_).to_json()) for id_ in house.floor().slips),
    ]
    secrets = {badge(person) for person in PEOPLE} | {keys.fingerprint(badge(person)) for person in PEOPLE}
    secrets |= {print_ for person in house.floor().people.values() for print_ in person.badges}
    assert len(secrets) > 10
    for text in texts:
        assert [secret for secret in secrets if secret in text] == []
