import nextAuth from "next-auth";
import type { NextRequest } from "next/server";
import { authOptions } from "@/app/session";

async function handler(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  return nextAuth(request, context, await authOptions());
}

export { handler as GET, handler as POST };
