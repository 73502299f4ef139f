import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { splitTarget } from "@/lib/api/engine/call";
import { readHead } from "@/lib/http/request-head";

/** How many answers of one connection may be unfinished. */
export const MAX_UNFINISHED = 16;
/** How many of the requests that wait are started in one turn of the event loop. */
export const STARTED_IN_TURN = 4;

/** The unfinished answers of a connection, and the requests that wait for them. */
interface Pipeline {
  readonly socket: Socket;
  readonly unfinished: Map<ServerResponse, IncomingMessage>;
  waiting: [IncomingMessage, ServerResponse][];
}

const PIPELINE = Symbol("pipeline");
type PipelineSocket = Socket & { [PIPELINE]?: Pipeline };

export interface Pipelines {
  readonly onRequest: RequestListener;
  /** Closes every connection after its next answer, including those under way. */
  closeAfterAnswers(): void;
}

/**
 * Passes requests to `answer`, and limits how many of one connection are answered at the same time, because a pipeline
 * needs no new connection. A request that follows an unfinished answer waits. Each turn of the event loop starts a few
 * waiting requests of one connection, because a single read of a socket can bring thousands of requests and other callers
 * must not wait for all of them. An answer that is complete at once, and that the system accepts at once, costs one
 * property lookup.
 */
export function limitPipelines(answer: RequestListener): Pipelines {
  const pipelines = new Set<Pipeline>();
  /** The pipelines that may start waiting requests, in the order of their turns. */
  const queue = new Set<Pipeline>();
  let isClosing = false;

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    const socket = request.socket as PipelineSocket;
    const pipeline = socket[PIPELINE];
    if (pipeline !== undefined && isBusy(pipeline)) {
      pipeline.waiting.push([request, response]);
      socket.pause();
      enqueue(pipeline);
    } else start(socket, request, response);
  }

  function start(socket: PipelineSocket, request: IncomingMessage, response: ServerResponse): void {
    if (isClosing) response.shouldKeepAlive = false;
    answer(request, response);
    if (response.writableEnded && response.writableLength === 0) return;
    const pipeline = (socket[PIPELINE] ??= createPipeline(socket));
    pipeline.unfinished.set(response, request);
    response.once("close", () => {
      pipeline.unfinished.delete(response);
      if (pipeline.waiting.length > 0) enqueue(pipeline);
    });
  }

  function createPipeline(socket: PipelineSocket): Pipeline {
    const pipeline: Pipeline = { socket, unfinished: new Map(), waiting: [] };
    pipelines.add(pipeline);
    socket.once("close", () => {
      pipelines.delete(pipeline);
      queue.delete(pipeline);
      pipeline.waiting = [];
    });
    // node:http resumes reading after each answer.
    socket.on("resume", () => pipeline.waiting.length > 0 && socket.pause());
    return pipeline;
  }

  function enqueue(pipeline: Pipeline): void {
    if (queue.size === 0) setImmediate(takeTurn);
    queue.add(pipeline);
  }

  function takeTurn(): void {
    const [pipeline] = queue;
    if (pipeline === undefined) return;
    queue.delete(pipeline);
    if (queue.size > 0) setImmediate(takeTurn);
    startWaiting(pipeline);
  }

  /** Starts some of what may be unfinished together. The end of an answer queues a full pipeline again. */
  function startWaiting(pipeline: Pipeline): void {
    const { socket, waiting } = pipeline;
    let started = 0;
    while (started < waiting.length && !socket.destroyed && started < STARTED_IN_TURN && !isFull(socket, pipeline)) {
      const next = waiting[started++];
      if (next !== undefined) start(socket, ...next);
    }
    waiting.splice(0, started);
    if (waiting.length === 0) socket.resume();
    else if (!isFull(socket, pipeline)) enqueue(pipeline);
  }

  return {
    onRequest,
    closeAfterAnswers() {
      isClosing = true;
      for (const { unfinished } of pipelines)
        for (const response of unfinished.keys()) if (!response.headersSent) response.shouldKeepAlive = false;
    },
  };
}

const isBusy = ({ unfinished, waiting }: Pipeline) => unfinished.size > 0 || waiting.length > 0;

const isFull = (socket: Socket, { unfinished }: Pipeline) =>
  unfinished.size >= MAX_UNFINISHED || (socket.writableNeedDrain && unfinished.size > 0);

/**
 * Whether an error may still be written to a connection: nothing else is under way on it, or only an answer to the
 * request that is at fault, which is not complete. After any other answer the error would be read as that answer.
 */
export function canAnswerError(socket: Socket): boolean {
  const { unfinished, waiting } = (socket as PipelineSocket)[PIPELINE] ?? { unfinished: new Map(), waiting: [] };
  if (waiting.length > 0 || unfinished.size > 1) return false;
  for (const [response, request] of unfinished) if (request.complete || response.headersSent) return false;
  return true;
}

/** Whether a request of this connection is not answered, or its answer not finished. */
export function hasUnfinishedAnswer(socket: Socket): boolean {
  const pipeline = (socket as PipelineSocket)[PIPELINE];
  return pipeline !== undefined && isBusy(pipeline);
}

type Upgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => void;

/**
 * Passes requests to upgrade a connection to what answers their path. All others are answered as if they had not requested it,
 * which HTTP allows: node:http would close their connections.
 */
export function routeUpgrades(server: Server, find: (path: string) => Upgrade | null): void {
  server.on("upgrade", (request, socket: Socket, head) => {
    const ignore = () => {};
    // node:http no longer listens for errors, and one without a listener would end the process.
    socket.on("error", ignore);
    // A complete answer to an earlier request has left the connection by the next turn.
    setImmediate(() => {
      socket.off("error", ignore);
      // Behind an unfinished one node:http would never send another, and a message would be written into its middle.
      if (hasUnfinishedAnswer(socket)) socket.destroy();
      else if (!socket.destroyed) pass(request, socket, head);
    });
  });

  function pass(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const isSocket = request.headers.upgrade?.toLowerCase() === "websocket" && request.method === "GET";
    const upgrade = isSocket && readHead(request) === "path" ? find(splitTarget(request.url ?? "/").path) : null;
    if (upgrade === null) answerWithoutUpgrade(server, request, socket, head);
    else upgrade(request, socket, head);
  }
}

/** Gives the connection back to the server, with the request as it was without the upgrade. */
function answerWithoutUpgrade(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    text += `${name}: ${name.toLowerCase() === "connection" ? removeUpgrade(value) : value}\r\n`;
  }
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}

/** Removes the token from a Connection header. A header without tokens has no effect. */
function removeUpgrade(value: string): string {
  return value
    .split(",")
    .filter((token) => token.trim().toLowerCase() !== "upgrade")
    .join(",");
}
