"""Every setting of ScaleBox in one frozen value. Read once; nothing below this module reads the environment.

Sources, strongest first: arguments (command-line flags), ``SCALEBOX_*`` variables, the TOML file that
``SCALEBOX_CONFIG`` names, defaults.
"""

from __future__ import annotations

import ipaddress
import os
import platform
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from scalebox.core.errors import ScaleBoxError
from scalebox.core.tenant import DEFAULT_TENANT, Tenant

PREFIX: Final = "SCALEBOX_"
FILE_VARIABLE: Final = "SCALEBOX_CONFIG"
SYSTEM_PYTHON: Final = Path("/usr/bin/python3")
OLDEST_PYTHON: Final = (3, 11)
TESTLIB: Final = "testlib.h"
MOST_CELLS: Final = 512


class ConfigError(ScaleBoxError):
    """A setting is wrong; the message names the variable and what it may be."""


def _state_dir() -> Path:
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "scalebox"


class TenantSettings(BaseModel):
    """One of several who share the service, known by its key."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,62}$")
    """In logs and metrics."""
    key: SecretStr
    weight: float = Field(default=1.0, ge=0.001, le=1000.0)
    """Of two tenants who both wait, one of weight 2 gets twice the slot time of one of weight 1."""
    max_slots: int | None = Field(default=None, ge=1)
    """Most slots held at once."""
    max_queued: int | None = Field(default=None, ge=1)
    """Most submissions here at once, running ones included."""

    @field_validator("name")
    @classmethod
    def _is_free(cls, value: str) -> str:
        if value == DEFAULT_TENANT:
            msg = f"{DEFAULT_TENANT} is who shows {PREFIX}API_KEY; choose another name"
            raise ValueError(msg)
        return value

    @field_validator("key")
    @classmethod
    def _is_a_key(cls, value: SecretStr) -> SecretStr:
        return _checked_key(value)

    def tenant(self) -> Tenant:
        """Without the key."""
        return Tenant(name=self.name, weight=self.weight, max_slots=self.max_slots, max_queued=self.max_queued)


class Settings(BaseSettings):
    """What the operator decides. Units are in the names."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, extra="forbid", frozen=True)

    host: str = "127.0.0.1"
    port: int = Field(default=8080, ge=0, le=65535)
    api_key: SecretStr | None = None
    """Wanted as ``Authorization: Bearer`` or ``X-API-Key``; needed unless ``host`` is loopback."""
    tenants: tuple[TenantSettings, ...] = Field(default=(), max_length=1000)
    """Others with keys of their own: ``[[tenants]]`` in the TOML file, or a JSON list in the variable."""
    slots: int | None = Field(default=None, ge=1, le=4096)
    """Programs that run at once; None means the CPUs that may be used (affinity and cgroup quota)."""
    cells: int | None = None
    """Processes that share the slots and the port; None chooses by the number of CPUs."""
    isolation: Literal["auto", "strict", "standard", "none"] = "auto"
    """The level demanded; ``auto`` takes the strongest that this machine grants."""
    python: Path | None = None
    """Interpreter that runs Python programs; None means a search, see ``program_python``."""
    testlib: Path | None = None
    """``testlib.h`` for judges that include it without bringing it, or the folder that holds it; not needed where the
    compiler finds one."""
    queue_limit: int = Field(default=10_000, ge=1)
    """Submissions that may be here at once, running ones included."""
    max_body_mb: int = Field(default=64, ge=1, le=4096)
    max_bodies_mb: int = Field(default=1024, ge=1, le=1 << 20)
    """MiB of request bodies held together, waiting and running; over it requests are answered 429, and those of the compatibility routes wait."""
    problems_mb: int = Field(default=4096, ge=0, le=1 << 24)
    """MiB of registered problems on disk, below ``state_dir``; at most a quarter of the file system is taken. 0 keeps none there."""
    problems_count: int = Field(default=20_000, ge=1, le=1_000_000)
    """Registered problems on disk; over either bound the longest unused are forgotten."""
    problems_memory_mb: int = Field(default=1024, ge=1, le=1 << 20)
    """MiB of registered problems in memory, ready to judge: those in use and those used lately."""
    compile_cache_mb: int = Field(default=512, ge=0)
    verdict_cache_mb: int = Field(default=0, ge=0)
    """MiB of judgements remembered by content and answered again without a run; 0 remembers none."""
    share: bool = True
    """Run a submission once where an identical one is being judged already."""
    learn_order: bool = True
    """Under stop-on-failure, start with the case that earlier judgements of the problem show to fail most likely."""
    learned_limit_factor: float = Field(default=4.0, ge=1, le=1000)
    """Where a request asks for learned limits: the limit, in times of the slowest case of any accepted submission."""
    learned_limit_floor_s: float = Field(default=1.0, gt=0, le=3600)
    """Seconds; no learned limit is less."""
    learned_limit_programs: int = Field(default=3, ge=1, le=1000)
    """Different accepted submissions in one language that it takes to learn a limit."""
    keep_order: bool = True
    """Keep the learned order of cases over restarts, below ``state_dir``; for servers."""
    node: str = Field(default_factory=platform.node, min_length=1, max_length=253)
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["auto", "json", "console"] = "auto"
    """``auto`` is text on a terminal and JSON elsewhere."""
    log_programs: bool = False
    """Log sources and completions; off because they may be private."""
    state_dir: Path = Field(default_factory=_state_dir)
    """What survives a restart: registered problems, and judges. Several services of one user may share it."""
    judges_url: SecretStr | None = None
    """The registry of judges: ``sqlite:///FILE`` or ``postgresql://USER:PASSWORD@HOST/NAME``; None means ``judges.db`` in
    ``state_dir``, once there is one."""
    cgroup: Literal["auto", "off"] = "auto"
    llm_url: str = ""
    """Base URL of an OpenAI-compatible endpoint, as `http://127.0.0.1:8000/v1`: asked for drafts of special judges."""
    llm_model: str = ""
    """What the endpoint calls the model."""
    llm_key: SecretStr | None = None
    llm_extra_body: Mapping[str, object] = Field(default_factory=dict)
    """Further fields of every request to the model, as JSON."""
    drain_seconds: int = Field(default=30, ge=0)
    """How long running requests may go on after SIGTERM."""
    cell_silence_seconds: int = Field(default=30, ge=2)
    """How long the event loop of a cell may stand still before the cell is killed and started again."""

    @field_validator("cells", mode="before")
    @classmethod
    def _is_count(cls, value: object) -> object:
        if value in {None, "auto"}:
            return None
        text = str(value)
        if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= MOST_CELLS:
            msg = f"--cells is auto, or a whole number from 1 to {MOST_CELLS}"
            raise ValueError(msg)
        return int(text)

    @field_validator("python")
    @classmethod
    def _is_executable(cls, value: Path | None) -> Path | None:
        if value is not None and not os.access(value, os.X_OK):
            msg = f"{value} is not an executable file"
            raise ValueError(msg)
        return value

    @field_validator("testlib")
    @classmethod
    def _is_header(cls, value: Path | None) -> Path | None:
        if value is None:
            return None
        path = value / TESTLIB if value.is_dir() else value
        if not path.is_file():
            msg = f"{path} is no file"
            raise ValueError(msg)
        return path

    @model_validator(mode="after")
    def _closed_unless_keyed(self) -> Self:
        if self.api_key is not None and not self.api_key.get_secret_value().strip():
            msg = f"{PREFIX}API_KEY is blank; set a real key, or unset it and listen on 127.0.0.1"
            raise ValueError(msg)
        if self.api_key is None and not self.tenants and not is_loopback(self.host):
            msg = (
                f"{PREFIX}HOST={self.host} can be reached from other machines and no key protects it; "
                f"set {PREFIX}API_KEY, or listen on 127.0.0.1 with {PREFIX}HOST=127.0.0.1"
            )
            raise ValueError(msg)
        return self

    @model_validator(mode="after")
    def _tenants_can_be_told_apart(self) -> Self:
        names: set[str] = set()
        keys = set() if self.api_key is None else {self.api_key.get_secret_value()}
        for number, tenant in enumerate(self.tenants):
            where = f"{PREFIX}TENANTS: number {number}"
            if tenant.name in names:
                msg = f"{where} is called {tenant.name} as another is; give each a name of its own"
                raise ValueError(msg)
            if tenant.key.get_secret_value() in keys:
                msg = f"{where} ({tenant.name}) has the key of another; give each a key of its own"
                raise ValueError(msg)
            names.add(tenant.name)
            keys.add(tenant.key.get_secret_value())
        return self

    def keys(self) -> Mapping[str, SecretStr]:
        """Key by name of the tenant; empty where everybody may."""
        own = {} if self.api_key is None else {DEFAULT_TENANT: self.api_key}
        return own | {tenant.name: tenant.key for tenant in self.tenants}

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, then variables, then the TOML file; no ``.env`` file and no secrets folder."""
        path = os.environ.get(FILE_VARIABLE)
        if not path:
            return init_settings, env_settings
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, toml_file=path)


def is_loopback(host: str) -> bool:
    """True when only this machine can reach ``host``."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _checked_key(key: SecretStr) -> SecretStr:
    """A key as it can be sent in a header."""
    text = key.get_secret_value()
    if not text.strip() or text != text.strip() or not text.isascii() or not text.isprintable():
        msg = "a key is printable ASCII without spaces around it, and not empty"
        raise ValueError(msg)
    return key


def load_settings(overrides: Mapping[str, object] | None = None) -> Settings:
    """Read the settings.

    Args:
        overrides: values that win over every other source; None values are left out.

    Raises:
        ConfigError: a value is wrong, or the TOML file is missing or malformed.
    """
    path = os.environ.get(FILE_VARIABLE)
    if path and not Path(path).is_file():
        msg = f"{FILE_VARIABLE}: there is no file {path}"
        raise ConfigError(msg)
    given = {name: value for name, value in (overrides or {}).items() if value is not None}
    try:
        return Settings(**given)  # type: ignore[arg-type]  # checked by pydantic at run time
    except ValidationError as error:
        raise ConfigError(_explain(error)) from None
    except SettingsError as error:
        msg = f'{error}; in a variable it is JSON, as [{{"name": "research", "key": "..."}}] for {PREFIX}TENANTS'
        raise ConfigError(msg) from None
    except ValueError as error:  # tomllib.TOMLDecodeError, or text that is not UTF-8
        msg = f"{FILE_VARIABLE}={path}: {error}"
        raise ConfigError(msg) from None


def _explain(error: ValidationError) -> str:
    lines = []
    for item in error.errors():
        name = ".".join(str(part) for part in item["loc"])
        message = item["msg"].removeprefix("Value error, ")
        if not name:
            lines.append(message)
        elif item["type"] == "extra_forbidden":
            lines.append(f"{name}: there is no such setting; remove it")
        elif _may_hold_a_key(item["loc"]):
            lines.append(f"{PREFIX}{name.upper()}: {message}")
        else:
            lines.append(f"{PREFIX}{name.upper()}: {message} (got {item['input']!r})")
    return "; ".join(lines)


def _may_hold_a_key(where: tuple[int | str, ...]) -> bool:
    """Whether what was given there is not to be shown: a key, or a tenant with its key."""
    return where[-1] in {"api_key", "key", "judges_url", "llm_key"} or (where[0] == "tenants" and len(where) < 3)


def program_python(settings: Settings) -> Path:
    """The interpreter for Python programs: the setting, else the distribution's own if it is new enough, else ours.

    The distribution's interpreter starts in a third of the time of other builds.
    """
    if settings.python is not None:
        return settings.python
    if _version(SYSTEM_PYTHON) >= OLDEST_PYTHON:
        return SYSTEM_PYTHON
    return Path(sys.executable)


def _version(python: Path) -> tuple[int, int]:
    try:
        reply = subprocess.run([python, "--version"], capture_output=True, text=True, timeout=10, check=False)  # ruff: ignore[subprocess-without-shell-equals-true] -- a fixed path
    except (OSError, subprocess.TimeoutExpired):
        return (0, 0)
    found = re.search(r"(\d+)\.(\d+)", reply.stdout)
    return (int(found[1]), int(found[2])) if found else (0, 0)
