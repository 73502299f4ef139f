import { once } from "node:events";
import { request } from "node:http";
import { connect as connectTls } from "node:tls";
import { onTestFinished } from "vitest";
import { completeFix, createFixSession } from "@/e2e/venues/kit/fix-text";
import { createFrameReader } from "@/e2e/venues/kit/frame-reader";
import { isFixText, type Message } from "@/e2e/venues/kit/messages";
import type { Section, Step, Transport } from "@/e2e/venues/kit/scenario";
import { TEST_CERTIFICATE } from "@/e2e/venues/kit/test-certificate";
import { collect, connectTcp, connectWebSocket } from "@/e2e/venues/kit/testing.fixture";

interface OpeningPattern {
  readonly method?: string;
  readonly path?: string;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
}

const readOpening = (pattern: Message | null): OpeningPattern =>
  pattern?.kind === "json" ? (pattern.value as OpeningPattern) : {};

/** The messages that a section expects, as a client sends them. A WebSocket client answers pings by itself. */
function listExpected(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => {
    if (step.kind === "expect") return step.text.startsWith('{"pong"') ? [] : [step.text];
    if (step.kind === "repeat") return Array.from({ length: step.times }, () => listExpected(step.steps)).flat();
    return step.kind === "join" ? listExpected(step.steps) : [];
  });
}

/**
 * Connects as a section of a scenario wants it, and sends at once all that the section expects and nothing else. Returns
 * the list of messages that the venue sends, which grows.
 */
export async function mirrorSection(transport: Transport, url: string, section: Section): Promise<readonly string[]> {
  const { method = "GET", path = "/", query = {}, headers = {} } = readOpening(section.opening);
  const address = `${url}${path}?${new URLSearchParams(query)}`;
  const texts = listExpected(section.steps);
  if (transport === "websocket") {
    const { socket, messages } = await connectWebSocket(address, headers);
    for (const text of texts) socket.send(text);
    return messages;
  }
  const received: string[] = [];
  const reader = createFrameReader((text) => received.push(text));
  if (transport === "http") {
    const call = request(address, { method, headers }).end();
    call.on("error", () => {});
    call.on("response", (response) => response.on("error", () => {}).on("data", (bytes) => reader.push(bytes)));
    await once(call, "finish");
    return received;
  }
  const port = Number(new URL(url).port);
  const socket = transport === "tcp" ? connectTcp(url) : connectTls({ port, host: "127.0.0.1", ca: TEST_CERTIFICATE });
  onTestFinished(() => void socket.destroy());
  collect(socket);
  socket.on("data", (bytes) => reader.push(bytes));
  const session = { ...createFixSession(), sender: "CLIENT", target: "VENUE" };
  for (const text of texts) socket.write(isFixText(text) ? completeFix(text, session, Date.now()) : text);
  return received;
}
