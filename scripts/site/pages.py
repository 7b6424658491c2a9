"""The pages of the site that are not in docs/, and the order of all pages. MkDocs calls the functions named `on_...`.

The README, the papers beside it and the examples are read where they are; the reference of the Python packages is
written from their docstrings. A page of docs/ that no list below names is put at the end of its section.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mkdocs.structure.files import File

import houseway

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

ROOT: Final = Path(__file__).resolve().parents[2]
SOURCE: Final = ROOT / "src" / "houseway"
NO_REFERENCE: Final = ("api", "cli", "manager/demo", "manager/store/migrations")
"""Packages that nobody imports: programs, steps of the database, and what the front door shows under its own name."""
MOVED: Final = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security-policy.md",
    "CHANGELOG.md": "project/changelog.md",
    "LICENSE": "project/licence.md",
    "examples/README.md": "examples/index.md",
}
"""Where files of the repository stand in the site."""
SECTIONS: Final[dict[str, tuple[str, ...]]] = {
    "Rules": ("games", "paytables", "houseways", "shuffle", "clauses", "decisions", "conformance", "glossary"),
    "Odds": ("odds", "strategy", "face-up", "clusters", "performance"),
    "Game Manager": ("manager", "operations", "compliance", "security"),
    "Begin": ("tutorial/", "roles/dealer", "roles/supervisor", "roles/"),
    "Guides": ("guides/",),
    "Examples": ("examples/index", "examples/"),
    "Reference": ("reference/",),
    "Python": ("api", "python/houseway", "python/"),
    "Project": ("architecture", "project/"),
}
"""By section the pages in order; a name that ends in a slash stands for all other pages of the folder."""
SHIM: Final = re.compile(r"https://unpkg\.com/iframe-worker/shim")
"""What the theme would load from elsewhere in pages that are opened from a folder; docs/site-search.js does it."""
_LINK: Final = re.compile(r"(?<!!)\[(?P<text>[^\]]+)\]\((?P<target>[^)#\s]*)(?P<anchor>#[^)]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from outside docs/, and put all in order."""
    for name, page in (read_moved() | read_examples() | read_packages()).items():
        files.append(File.generated(config, name, content=page))
    config.nav = navigation([file.src_uri for file in files.documentation_pages()])
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:  # noqa: ANN401 - types of MkDocs
    """Turn links to files of the repository into links of the site, or into the file's name."""
    uri = page.file.src_uri
    if uri.startswith("python/"):
        return markdown
    return with_links(markdown, uri)


def on_post_page(output: str, page: Any, **_: Any) -> str:  # noqa: ANN401 - types of MkDocs
    """Load nothing from elsewhere."""
    return SHIM.sub(posixpath.relpath("site-search.js", posixpath.dirname(page.file.src_uri) or "."), output)


def on_post_template(output_content: str, **_: Any) -> str:  # noqa: ANN401 - types of MkDocs
    """The same for the page that says that there is no such page."""
    return SHIM.sub("site-search.js", output_content)


def read_moved() -> dict[str, str]:
    """The papers beside the README, by their place in the site."""
    pages = {to: (ROOT / name).read_text(encoding="utf-8") for name, to in MOVED.items()}
    pages[MOVED["LICENSE"]] = f"# Licence\n\n```text\n{pages[MOVED['LICENSE']]}```\n"
    pages["index.md"] = "---\nhide: [navigation]\n---\n" + pages["index.md"]
    return pages


def read_examples() -> dict[str, str]:
    """A page for each example: what it shows, the program, and what it prints."""
    pages = {}
    for program in sorted((ROOT / "examples").glob("*.py")):
        code = program.read_text(encoding="utf-8")
        shown = re.match(r'"""(.*?)"""\s*', code, re.DOTALL)
        assert shown is not None, f"{program.name} does not say what it shows"
        printed = (ROOT / "examples" / "output" / f"{program.stem}.txt").read_text(encoding="utf-8")
        title = program.stem.replace("_", " ").capitalize()
        text = (
            f"# {title}\n\n{shown[1]}\n\n```python\n{code[shown.end() :]}```\n\nIt prints:\n\n```text\n{printed}```\n"
        )
        pages[f"examples/{program.stem}.md"] = text
    return pages


def read_packages() -> dict[str, str]:
    """A page for each package, with the modules in it."""
    pages = {}
    for package in sorted(path.parent for path in SOURCE.rglob("__init__.py")):
        place = package.relative_to(SOURCE).as_posix()
        if any(place == left_out or place.startswith(f"{left_out}/") for left_out in NO_REFERENCE):
            continue
        name = ".".join(package.relative_to(SOURCE.parent).parts)
        modules = sorted(path.stem for path in package.glob("*.py") if not path.stem.startswith("_"))
        entries = [f"::: {name}\n    options:\n      members: false\n      show_root_heading: false"]
        entries += front_door() if name == "houseway" else []
        entries += [f"::: {name}.{module}" for module in modules]
        pages[f"python/{name}.md"] = f"# {name}\n\n" + "\n\n".join(entries) + "\n"
    return pages


def front_door() -> list[str]:
    """What `import houseway` gives: functions, then classes; those that are made elsewhere as links."""
    homes = {name: home for home, names in houseway._HOMES.items() for name in names}  # noqa: SLF001
    here = [name for name in sorted(homes, key=lambda name: (name[0].isupper(), name)) if _is_of_door(homes[name])]
    entries = [f"::: {homes[name]}.{name}\n    options:\n      show_root_full_path: false" for name in here]
    linked = (getattr(houseway, name) for name in sorted(homes) if name not in here)
    links = ", ".join(f"[{thing.__name__}][{thing.__module__}.{thing.__qualname__}]" for thing in linked)
    return [*entries, f"## Made elsewhere\n\n{links}", "## Internal modules"]


def _is_of_door(home: str) -> bool:
    return home.startswith("houseway.api.")


def navigation(pages: list[str]) -> list[Any]:
    """All pages, by section."""
    left = set(pages) - {"index.md"}
    nav: list[Any] = [{"Home": "index.md"}]
    for section, names in SECTIONS.items():
        listed = [f"{name}.md" for name in names if not name.endswith("/") and f"{name}.md" in left]
        for folder in names:
            if folder.endswith("/"):
                found = (page for page in left - set(listed) if page.startswith(folder))
                listed += sorted(found, key=lambda page: page.removesuffix(".md"))
        left -= set(listed)
        nav.append({section: [_titled(page) for page in listed]})
    nav[-1]["Project"] += sorted(left)
    return nav


def _titled(page: str) -> str | dict[str, str]:
    """A page of a package under the package's name, others under their heading."""
    if not page.startswith("python/"):
        return page
    name = page.removeprefix("python/").removesuffix(".md")
    return {name.removeprefix("houseway."): page}


def with_links(markdown: str, uri: str) -> str:
    """A page's links as the site needs them. `uri` is the page's place in the site."""
    original = next((name for name, to in MOVED.items() if to == uri), None)
    place = original or (uri if uri.startswith("examples/") else f"docs/{uri}")

    def replaced(found: re.Match[str]) -> str:
        target = found["target"]
        if not target or "://" in target or target.startswith("mailto:"):
            return found[0]
        wanted = posixpath.normpath(posixpath.join(posixpath.dirname(place), target))
        in_site = site_place(wanted)
        if in_site is None:
            return f"{found['text']} (`{wanted}`)" if found["text"].strip("`") != wanted else found["text"]
        way = posixpath.relpath(in_site, posixpath.dirname(uri) or ".")
        return f"[{found['text']}]({way}{found['anchor'] or ''})"

    parts = re.split(r"(?ms)(^```.*?^```$)", markdown)
    return "".join(part if part.startswith("```") else _LINK.sub(replaced, part) for part in parts)


def site_place(wanted: str) -> str | None:
    """Where a file of the repository stands in the site; None if it is not there, the file itself if it is missing."""
    if wanted in MOVED:
        return MOVED[wanted]
    if wanted.startswith("docs/"):
        return wanted.removeprefix("docs/")
    if re.fullmatch(r"examples/\w+\.py", wanted):
        return wanted.replace(".py", ".md")
    return None if (ROOT / wanted).exists() else wanted
