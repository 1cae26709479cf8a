"""The HTTP API: games, positions, people, matches, seeks. `/api/openapi.json` describes it, `/api/docs` shows it."""

import asyncio

from fastapi import APIRouter, Response

import menagerie
from menagerie.errors import IllegalMove, NotationError
from menagerie.match.match import Match
from menagerie.server import catalogue, examples, explanations, limits, scene
from menagerie.server.bodies import (
    Begin,
    ClockPreset,
    Credentials,
    MatchList,
    MeFact,
    NewMatch,
    NewSeek,
    NewToken,
    PersonFact,
    RecordText,
    ServerFact,
    TokenFact,
    WhyFact,
)
from menagerie.server.facts import ExampleFact, FollowsFact, GameFact, MatchFact, RulesFact
from menagerie.server.messages import LobbySeek
from menagerie.server.openings import new_match, presets
from menagerie.server.records import record_of, replay_of
from menagerie.server.refusals import NotFound, Refusal
from menagerie.server.standing import encode
from menagerie.server.visits import Visit, route

api = APIRouter(prefix="/api")
MOST_DIGITS = 15
"""Of milliseconds since 1970."""
LASTING, A_WHILE = {"Cache-Control": "public, max-age=3600"}, {"Cache-Control": "public, max-age=60"}


@route(api, "GET", "/games", gives=list[GameFact])
async def games(_: Visit) -> Response:
    """All games."""
    return Response(encode(catalogue.all_games()), media_type="application/json", headers=A_WHILE)


@route(api, "GET", "/games/{game}", gives=GameFact)
async def one_game(_: Visit, game: str) -> GameFact:
    """A game: its board, pieces, options."""
    catalogue.known(game)
    return catalogue.game_fact(game)


@route(api, "GET", "/games/{game}/rules", gives=RulesFact)
async def rules(_: Visit, game: str) -> RulesFact:
    """The rules of a game in words."""
    catalogue.known(game)
    return catalogue.rules_fact(game)


@route(api, "GET", "/games/{game}/examples", gives=list[ExampleFact], asks="rules")
async def moves_of_pieces(visit: Visit, game: str) -> Response:
    """For each kind of piece a position that shows how it moves: query `rules`."""
    visit.limit(limits.QUESTIONS)
    rules = catalogue.variant_of(game, visit.query("rules")).options.in_full()
    found = await asyncio.to_thread(examples.examples, game, rules)
    return Response(encode(found), media_type="application/json", headers=A_WHILE)


@route(api, "GET", "/games/{game}/art/{letter}/{player}.svg", media="image/svg+xml")
async def art(_: Visit, game: str, letter: str, player: str) -> Response:
    """A token as a picture."""
    if player not in ("0", "1"):
        raise NotFound("there are two players, 0 and 1")
    return svg(catalogue.token_picture(game, letter, int(player)))


@route(api, "GET", "/games/{game}/board.svg", asks="position rules marked", media="image/svg+xml")
async def board(visit: Visit, game: str) -> Response:
    """A position as a picture: query `position`, `rules`, `marked` (squares with commas between them)."""
    visit.limit(limits.QUESTIONS)
    variant = catalogue.variant_of(game, visit.query("rules"))
    marked = visit.query("marked").split(",") if visit.query("marked") else []
    return svg(catalogue.board_picture(variant, visit.query("position") or None, marked))


def svg(picture: str) -> Response:
    """A picture as it is sent."""
    return Response(picture, media_type="image/svg+xml", headers=LASTING)


def place(visit: Visit, game: str) -> Match:
    """A match that stands at the position of a question: query `text` and `rules`."""
    visit.limit(limits.QUESTIONS)
    variant = catalogue.variant_of(game, visit.query("rules"))
    text = visit.query("text")
    return Match(variant, variant.position(text) if text else None)


@route(api, "GET", "/games/{game}/position", gives=FollowsFact, asks="text rules actions")
async def position(visit: Visit, game: str) -> FollowsFact:
    """A position and its legal actions: query `text` (the start if none), `rules`, `actions` made already."""
    try:
        return scene.follows(place(visit, game), visit.numbers("actions"))
    except IllegalMove as error:
        raise Refusal("illegal", error.reason) from error


@route(api, "GET", "/games/{game}/typed", gives=FollowsFact, asks="turn text rules")
async def typed(visit: Visit, game: str) -> FollowsFact:
    """What a written turn means: query `turn`, and `text` and `rules` of the position."""
    match = place(visit, game)
    try:
        turn = explanations.read_typed(match, visit.query("turn"))
    except (IllegalMove, NotationError) as error:
        raise Refusal("illegal", str(error), explanations.nearest(match, visit.query("turn"))) from error
    return scene.follows(match, turn.indices)


@route(api, "GET", "/games/{game}/why", gives=WhyFact, asks="touches actions text rules")
async def why(visit: Visit, game: str) -> WhyFact:
    """Why a gesture is impossible: query `touches`, `actions`, and `text` and `rules` of the position."""
    match, touches = place(visit, game), visit.query("touches").split(",")[:8]
    return WhyFact(words=explanations.why_not(match, visit.numbers("actions"), touches))


@route(api, "GET", "/clocks", gives=list[ClockPreset], asks="game")
async def clocks(visit: Visit) -> list[ClockPreset]:
    """Usual time controls: query `game` for those that suit it."""
    return presets(visit.query("game"))


@route(api, "GET", "/server", gives=ServerFact)
async def server(visit: Visit) -> ServerFact:
    """The server."""
    desk = visit.desk
    people = sum(len(room.listeners) for room in desk.house.rooms.values())
    return ServerFact(
        version=menagerie.__version__,
        people=people,
        matches=len(desk.house.rooms),
        levels=list(catalogue.LEVEL_WORDS),
    )


@route(api, "GET", "/me", gives=MeFact)
async def me(visit: Visit) -> MeFact:
    """Who I am, the matches I play, and the invitations I have made."""
    if visit.person is None:
        return MeFact(person=None, playing=[], invitations=[])
    people, lobby = visit.desk.people, visit.desk.lobby
    return MeFact(
        person=await people.fact(visit.person),
        playing=await people.playing(visit.person),
        invitations=await lobby.invitations(visit.person),
    )


@route(api, "POST", "/register", takes=Credentials, gives=MeFact)
async def register(visit: Visit, body: Credentials) -> MeFact:
    """Make an account; a guest keeps everything."""
    visit.desk.limits.take(limits.LOGINS, visit.address)
    visit.person, visit.cookie = await visit.desk.accounts.register(visit.person, body.name, body.password)
    return await me(visit)


@route(api, "POST", "/login", takes=Credentials, gives=MeFact)
async def login(visit: Visit, body: Credentials) -> MeFact:
    """Log in."""
    visit.desk.limits.take(limits.LOGINS, visit.address)
    visit.desk.limits.take(limits.NAMES, f"{body.name.lower()} {visit.address}")
    visit.desk.limits.take(limits.ALL_NAMES, body.name.lower())
    visit.person, visit.cookie = await visit.desk.accounts.login(body.name, body.password)
    return await me(visit)


@route(api, "POST", "/logout", gives=MeFact)
async def logout(visit: Visit) -> MeFact:
    """Log out."""
    if visit.secret:
        await visit.desk.accounts.logout(visit.secret)
    visit.person, visit.cookie = None, ""
    return await me(visit)


@route(api, "GET", "/people/{name}", gives=PersonFact)
async def person(visit: Visit, name: str) -> PersonFact:
    """Somebody with an account."""
    visit.limit(limits.PAGES)
    return await visit.desk.people.fact(await visit.desk.accounts.by_name(name))


@route(api, "GET", "/leaders/{game}", gives=list[PersonFact])
async def leaders(visit: Visit, game: str) -> list[PersonFact]:
    """The strongest at a game."""
    visit.limit(limits.PAGES)
    return await visit.desk.people.leaders(catalogue.known(game).name)


@route(api, "POST", "/matches", takes=NewMatch, gives=Begin)
async def begin_match(visit: Visit, body: NewMatch) -> Begin:
    """Begin a match against the machine, or for two people at one screen."""
    visit.limit(limits.NEW_MATCHES)
    return Begin(match=await new_match(visit.desk, await visit.somebody(), body))


@route(api, "GET", "/matches", gives=MatchList, asks="person game status before")
async def matches(visit: Visit) -> MatchList:
    """Matches, the newest first: query `person` (`me` for mine), `game`, `status` (playing, over), `before`."""
    visit.limit(limits.PAGES)
    name, before = visit.query("person"), visit.query("before")
    if not (before == "" or (before.isascii() and before.isdecimal() and len(before) <= MOST_DIGITS)):
        raise Refusal("malformed", "before should be what the list before said")
    if name == "me" and visit.person is None:
        return MatchList(matches=[], before=None)
    who = visit.person if name == "me" else await visit.desk.accounts.by_name(name) if name else None
    filters = {name: visit.query(name) for name in ("game", "status") if visit.query(name)}
    return await visit.desk.people.matches(visit.person, who, filters, int(before) if before else None)


@route(api, "GET", "/matches/{match}", gives=MatchFact)
async def one_match(visit: Visit, match: str) -> MatchFact:
    """A match as you see it."""
    visit.limit(limits.PAGES)
    room = await visit.desk.house.room(match)
    return room.fact(room.sitting.terms.seats_of(visit.person.id if visit.person else None))


@route(api, "GET", "/matches/{match}/record", media="text/plain")
async def record(visit: Visit, match: str) -> Response:
    """The record of a match as text."""
    visit.limit(limits.PAGES)
    room = await visit.desk.house.room(match)
    return Response(record_of(room.sitting), media_type="text/plain; charset=utf-8")


@route(api, "POST", "/records", takes=RecordText, gives=MatchFact)
async def replay(visit: Visit, body: RecordText) -> MatchFact:
    """A match to be replayed, from its record; nothing is kept."""
    visit.limit(limits.QUESTIONS)
    return await asyncio.to_thread(replay_of, body.text, body.game)


@route(api, "POST", "/seeks", takes=NewSeek, gives=LobbySeek)
async def seek(visit: Visit, body: NewSeek) -> LobbySeek:
    """Wish to play somebody: open to all, or behind a link."""
    visit.limit(limits.NEW_MATCHES)
    return await visit.desk.lobby.seek(await visit.somebody(), body)


@route(api, "GET", "/seeks", gives=list[LobbySeek])
async def seeks(visit: Visit) -> list[LobbySeek]:
    """The open seeks."""
    return await visit.desk.lobby.open(visit.person)


@route(api, "GET", "/seeks/{seek}", gives=LobbySeek)
async def one_seek(visit: Visit, seek: str) -> LobbySeek:
    """A seek, in words."""
    return await visit.desk.lobby.find(seek, visit.person)


@route(api, "POST", "/seeks/{seek}/accept", gives=Begin)
async def accept(visit: Visit, seek: str) -> Begin:
    """Play."""
    visit.limit(limits.NEW_MATCHES)
    return Begin(match=await visit.desk.lobby.accept(seek, await visit.somebody()))


@route(api, "DELETE", "/seeks/{seek}")
async def withdraw(visit: Visit, seek: str) -> Response:
    """Withdraw a seek."""
    await visit.desk.lobby.withdraw(seek, await visit.somebody())
    return Response(status_code=204)


@route(api, "POST", "/tokens", takes=NewToken, gives=TokenFact)
async def new_token(visit: Visit, body: NewToken) -> TokenFact:
    """Make a token for a program; its secret is told this once."""
    visit.limit(limits.NEW_MATCHES)
    if visit.person and visit.secret is None:
        raise Refusal("seat", "a token makes no further tokens: log in with the password")
    return await visit.desk.accounts.new_token(await visit.somebody(), body.label, body.is_bot)


@route(api, "GET", "/tokens", gives=list[TokenFact])
async def tokens(visit: Visit) -> list[TokenFact]:
    """My tokens."""
    return await visit.desk.accounts.tokens(visit.person) if visit.person else []


@route(api, "DELETE", "/tokens/{token}")
async def drop_token(visit: Visit, token: str) -> Response:
    """A token is good for nothing any more."""
    await visit.desk.accounts.drop_token(await visit.somebody(), token)
    return Response(status_code=204)
