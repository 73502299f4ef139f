import { describe, expect, test } from "vitest";
import { findScenario, parseScenarios } from "@/e2e/venues/kit/parse-scenario";

describe("a scenario", () => {
  test("is read step by step, with the numbers of its lines", () => {
    const { transport, scenarios } = parseScenarios(`
      transport websocket
      # A comment.
      scenario two steps
        expect {"method":"subscribe"}
        send {"bid":$bid,"at":"$iso"}
    `);
    expect(transport).toBe("websocket");
    expect(scenarios).toEqual([
      {
        name: "two steps",
        rules: [],
        sections: [
          {
            line: 5,
            opening: null,
            steps: [
              {
                kind: "expect",
                pattern: { kind: "json", value: { method: "subscribe" } },
                text: '{"method":"subscribe"}',
                line: 5,
              },
              { kind: "send", text: '{"bid":$bid,"at":"$iso"}', line: 6 },
            ],
          },
        ],
      },
    ]);
  });

  test("is divided into sections by its connections", () => {
    const { scenarios } = parseScenarios('connect {"path":"/v2"}\nclose 1011 try again\nconnect\nsilent');
    expect(scenarios[0]?.sections).toEqual([
      {
        line: 1,
        opening: { kind: "json", value: { path: "/v2" } },
        steps: [{ kind: "close", code: 1011, reason: "try again", line: 2 }],
      },
      { line: 3, opening: null, steps: [{ kind: "silent", line: 4 }] },
    ]);
  });

  test("holds blocks in blocks, and plays parts", () => {
    const { scenarios } = parseScenarios(
      "part pair\nsend 1\nsend 2\nend\nscenario s\nrepeat 3\njoin\nplay pair\nend\nwait 5\nend",
    );
    expect(scenarios[0]?.sections[0]?.steps).toEqual([
      {
        kind: "repeat",
        times: 3,
        line: 6,
        steps: [
          {
            kind: "join",
            line: 7,
            steps: [
              { kind: "send", text: "1", line: 2 },
              { kind: "send", text: "2", line: 3 },
            ],
          },
          { kind: "wait", ms: 5, line: 10 },
        ],
      },
    ]);
  });

  test("shares the rules above all scenarios and has its own", () => {
    const { scenarios } = parseScenarios("ignore 35=0\nscenario a\non 35=1 send 35=0|112=$in.112\nscenario b\nsilent");
    expect(scenarios.map(({ rules }) => rules.map(({ answer }) => answer))).toEqual([
      [null, "35=0|112=$in.112"],
      [null],
    ]);
  });

  test("is found by its name; without one, the first is", () => {
    const file = parseScenarios("scenario a\nsilent\nscenario b\nreset");
    expect(findScenario(file, "b").name).toBe("b");
    expect(findScenario(file, undefined).name).toBe("a");
    expect(() => findScenario(file, "c")).toThrow("there is no scenario “c”");
  });
});

test.each([
  ["send {}\nsned {}", "line 2: there is no “sned”"],
  ['\n\nsend {"a":}', "line 3: send: "],
  ["send {$}", "line 1: send: "],
  ["send {}\nexpect hello", "line 2: expect needs JSON or FIX fields, not “hello”"],
  ['send {"at":$time}', "line 1: there is no variable $time"],
  ["raw a\\qb", "line 1: there is no escape \\q"],
  ["wait soon", "line 1: wait needs a whole number, not “soon”"],
  ["repeat\nend", "line 1: repeat needs a whole number, not “”"],
  ["repeat 2\nsend {}", "line 1: repeat has no end"],
  ["join\nconnect\nend", "line 1: join has no end"],
  ["end", "line 1: there is no “end”"],
  ["scenario a\nplay logon", "line 2: there is no part “logon” above"],
  ["scenario a\nsilent\nscenario a", "line 3: there are two scenarios “a”"],
  ["scenario", "line 1: a scenario needs a name"],
  ["transport carrier-pigeon", "line 1: a transport is one of websocket, http, tcp, tls"],
  ["on 35=1 35=0", "line 1: on needs a pattern, “send” and a message"],
  ["silent please", "line 1: silent stands alone"],
  ["close bye", "line 1: close needs a code before its reason"],
  ["skew an hour", "line 1: skew needs seconds"],
  ["price 1.1", "line 1: price needs a start and a spread"],
  ["answer OK", "line 1: answer needs a status and, if any, headers as JSON"],
])("the mistake in %j is an error with its line", (text, message) => {
  expect(() => parseScenarios(text)).toThrow(message);
});
