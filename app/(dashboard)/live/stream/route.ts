import { answerLiveStream } from "@/features/live/topics";

/** What the windows of a browser show, and its changes, as server-sent events. */
export const GET = (request: Request): Promise<Response> => answerLiveStream(request);
