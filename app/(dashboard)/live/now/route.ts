import { answerLiveNow } from "@/features/live/topics";

/** The same as it is now, for a browser whose stream is down. */
export const GET = (request: Request): Promise<Response> => answerLiveNow(request);
