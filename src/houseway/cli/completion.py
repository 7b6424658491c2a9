"""`houseway completion`: the script by which a shell completes the words of the command."""

from __future__ import annotations

import sys
from typing import Annotated, Final

from cyclopts import Parameter

from houseway.api.arguments import Arguments

SHELLS: Final = ("bash", "zsh", "fish")


def completion(
    shell: Annotated[str, Parameter(help="bash, zsh or fish.")],
    /,
) -> int:
    """Print the script that lets a shell complete commands, options and their choices.

    Example for bash: `houseway completion bash > ~/.local/share/bash-completion/completions/houseway`.
    """
    from houseway.cli.app import build_app

    arguments = Arguments()
    chosen = arguments.choice(shell, SHELLS, "shell")
    arguments.refuse_if_any()
    sys.stdout.write(build_app().generate_completion(prog_name="houseway", shell=chosen))  # type: ignore[arg-type]
    return 0
