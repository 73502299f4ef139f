import { setTimeout } from "node:timers/promises";
import { ConnectionEnded, type Received, VenueConnection } from "@/e2e/venues/kit/connection";
import { createFaults, type FaultOptions } from "@/e2e/venues/kit/faults";
import { findScenario, parseScenarios } from "@/e2e/venues/kit/parse-scenario";
import type { Transport } from "@/e2e/venues/kit/scenario";
import { createScript, type Script } from "@/e2e/venues/kit/script";
import { listen } from "@/e2e/venues/kit/wires/listen";
import type { Opening, Wire, WireEvents } from "@/e2e/venues/kit/wires/wire";
import { SECOND_MS } from "@/lib/time/units";

export interface VenueOptions {
  /** May be left out if the scenario's text says it. */
  readonly transport?: Transport;
  /** The text of a scenario file; README.md describes the language. */
  readonly scenario?: string;
  /** Which scenario of the text; without it, the first. */
  readonly name?: string;
  /** The messages that the scenario's step `feed` sends to each connection; they may hold variables. */
  readonly feed?: () => Iterable<string>;
  /** Serves each connection in code instead. A rejection is reported as a violation, unless the connection has ended. */
  readonly onConnection?: (connection: VenueConnection) => Promise<void> | void;
  readonly faults?: FaultOptions;
  /** Real milliseconds for each millisecond of `wait`; 0.01 if left out. */
  readonly timeScale?: number;
  /** UTC milliseconds; the wall clock if left out. */
  readonly clock?: () => number;
}

/** A venue that listens on a free port of this machine. */
export interface Venue {
  /** `ws:`, `http:`, `tcp:` or `tls:` with host and port. */
  readonly url: string;
  /** Everything that clients sent, in order. */
  readonly received: readonly Received[];
  /** How many connections there were. */
  readonly connections: number;
  /** How many are open. */
  readonly open: number;
  /** What clients did against the scenario, in sentences that begin with the line. Complete once closed. */
  readonly violations: readonly string[];
  /** Resolves when every section has been played to its end. Rejects after the time, and says what is missing. */
  finished(timeoutMs?: number): Promise<void>;
  /** Ends all connections, and resolves when the port is free. */
  close(): Promise<void>;
}

const DEFAULT_TIME_SCALE = 0.01;
const POLL_MS = 5;

/** Opens a venue. Throws a ScenarioError if the scenario cannot be read. */
export async function openVenue(options: VenueOptions): Promise<Venue> {
  const { faults = {}, clock = Date.now } = options;
  const file = options.scenario === undefined ? null : parseScenarios(options.scenario);
  const transport = options.transport ?? file?.transport;
  if (transport == null) throw new Error("neither the options nor the scenario say the transport");

  const received: Received[] = [];
  const violations: string[] = [];
  const connections: VenueConnection[] = [];
  const serving: Promise<void>[] = [];
  let skewMs = 0;
  const now = () => clock() + (faults.skewMs ?? 0) + skewMs;
  const report = (violation: string) => void violations.push(violation);

  const script: Script | null =
    file &&
    createScript({
      scenario: findScenario(file, options.name),
      seed: faults.seed ?? "venue",
      timeScale: options.timeScale ?? DEFAULT_TIME_SCALE,
      burst: faults.burst ?? 1,
      feed: options.feed ?? (() => []),
      now,
      skew: (seconds) => void (skewMs = seconds * SECOND_MS),
      report,
      listOthers: (own) => connections.filter((other) => other !== own && other.isOpen),
    });

  async function serveInCode(connection: VenueConnection): Promise<void> {
    try {
      await options.onConnection?.(connection);
    } catch (error) {
      if (!(error instanceof ConnectionEnded)) report(String(error));
    }
  }

  function accept(opening: Opening, wire: Wire): WireEvents | null {
    const section = script?.choose(opening) ?? null;
    if (script !== null && section === null) {
      report(`no section serves a connection of ${JSON.stringify(opening)}`);
      return null;
    }
    const number = connections.length + 1;
    const connection = new VenueConnection(number, opening, wire, createFaults(faults, number), now);
    connections.push(connection);
    serving.push(script && section ? script.run(section, connection) : serveInCode(connection));
    return {
      message(text) {
        const message = connection.read(text);
        received.push(message);
        connection.take(message, script?.applyRules(connection, message) ?? false);
      },
      ended: () => connection.end(),
      answers: () => !connection.isSilent,
    };
  }

  const listener = await listen(transport, accept);
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    for (const connection of connections) connection.end();
    await listener.close();
    await Promise.all(serving);
    violations.push(...(script?.listUnopened() ?? []));
  }

  return {
    url: listener.url,
    received,
    violations,
    get connections() {
      return connections.length;
    },
    get open() {
      return connections.filter(({ isOpen }) => isOpen).length;
    },
    async finished(timeoutMs = 20 * SECOND_MS) {
      const endMs = performance.now() + timeoutMs;
      while (script !== null && !script.isFinished) {
        if (performance.now() > endMs) {
          throw new Error([...violations, ...script.listUnopened(), ...script.listWaiting()].join("\n"));
        }
        await setTimeout(POLL_MS);
      }
    },
    close: () => (closing ??= close()),
  };
}
