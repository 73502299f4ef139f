"use client";

import { CodeXml } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { ApiRequest } from "@/components/shared/write-code";
import { Button } from "@/components/ui/button";

const ApiCallDialog = dynamic(() =>
  import("@/components/shared/api-call-dialog").then((module) => module.ApiCallDialog),
);

interface ApiCallButtonProps {
  /** What the panel shows, such as "Quotes". */
  of: string;
  /** The calls that return it. */
  requests: readonly ApiRequest[];
}

/** Opens the calls of `/v1` behind a panel, as code. */
export function ApiCallButton({ of, requests }: ApiCallButtonProps) {
  const [state, setState] = useState<"never" | "open" | "closed">("never");
  return (
    <>
      <Button
        size="sm"
        className="h-8 max-md:h-9"
        aria-haspopup="dialog"
        title="API call"
        onClick={() => setState("open")}
      >
        <CodeXml aria-hidden size={15} />
        <span className="sr-only">API call: {of}</span>
      </Button>
      {state !== "never" && (
        <ApiCallDialog of={of} requests={requests} isOpen={state === "open"} onClose={() => setState("closed")} />
      )}
    </>
  );
}
