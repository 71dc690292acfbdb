"""What no single cog can see: that all of them together answer everything."""

from __future__ import annotations

from pathlib import Path

from bot.render.custom_ids import Verb
from cogs.presses import Presses
from tests.discord.world import world
from tests.project.test_documents import all_cogs


async def test_every_verb_is_answered_and_every_cog_is_there(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        presses = w.bot.get_cog("Presses")
        assert isinstance(presses, Presses)
        assert presses.verbs == frozenset(Verb) - {Verb.NONE}
        assert {type(cog) for cog in w.bot.cogs.values()} == set(all_cogs())


async def test_no_privileged_intent_is_asked_for(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        intents = w.bot.intents
        assert not any([intents.members, intents.presences, intents.message_content])
        assert {name for name, wanted in intents if wanted} == {"guilds", "guild_messages"}
