import { getRuntime } from "@/lib/runtime";

async function answer(request: Request): Promise<Response> {
  return (await getRuntime()).answerRequest(request);
}

/**
 * The second host of the API: the handlers of every Next route whose paths are endpoints. All methods go through the
 * pipeline, so that a wrong method gets the API's own error.
 */
export const apiHandlers = {
  GET: answer,
  HEAD: answer,
  POST: answer,
  PUT: answer,
  PATCH: answer,
  DELETE: answer,
  OPTIONS: answer,
};
