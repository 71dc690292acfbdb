"""What is stored of a person, to themselves, and the question before they are forgotten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.i18n import Texts
from bot.render.components import GREY, Page, button, small
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message


def my_data_page(told: Sequence[tuple[str, Mapping[str, object]]], texts: Texts) -> Message:
    """Sentences about what there is, and the ways to have it and to be rid of it."""
    page = Page()
    lines = [f"* {texts.get(code, **params)}" for code, params in told]
    page.text(f"### {texts.get('mydata.title')}", *(lines or [texts.get("mydata.nothing")]))
    page.text(small(texts.get("mydata.more")))
    export = button(texts.get("button.export"), Press(Verb.MY_DATA, argument="export"))
    forget = button(texts.get("button.forget"), Press(Verb.MY_DATA, argument="forget"), "danger")
    page.row([export, forget])
    return page.message()


def confirm_forget(open_tables: int, texts: Texts) -> Message:
    """Asks, once, and says what it means; `open_tables`: where the person sits."""
    page = Page()
    page.text(f"### {texts.get('mydata.forget.title')}", texts.get("mydata.forget.text"))
    if open_tables:
        page.text(texts.get("mydata.forget.tables", count=open_tables))
    page.text(small(texts.get("mydata.forget.stays")))
    forget = button(texts.get("button.forget_now"), Press(Verb.FORGET_NOW), "danger")
    page.row([forget, button(texts.get("button.keep"), Press(Verb.MY_DATA, argument="show"))])
    return page.message(GREY)
