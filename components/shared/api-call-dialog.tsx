"use client";

import { useId, useState } from "react";
import { CodeText } from "@/components/shared/code-text";
import { type ApiRequest, type Language, LANGUAGES, placeRequest, writeCode } from "@/components/shared/write-code";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { useShownAt } from "@/components/ui/past";
import { ChoiceTabs } from "@/components/ui/tabs";
import { formatReferencePath } from "@/lib/api/openapi/reference-path";

interface ApiCallDialogProps {
  of: string;
  requests: readonly ApiRequest[];
  isOpen: boolean;
  onClose: () => void;
}

/** The calls behind a panel, in a language to choose, each with its credits. On a page of the past they give its second. */
export function ApiCallDialog({ of, requests, isOpen, onClose }: ApiCallDialogProps) {
  const [language, setLanguage] = useState<Language>("curl");
  return (
    <Dialog open={isOpen} title={`API call: ${of}`} onDismiss={onClose} wide>
      <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-4">
        <ChoiceTabs label="Language" choices={LANGUAGES} chosen={language} onChoose={setLanguage} phoneClassName="" />
        {requests.map((request, index) => (
          <RequestCode key={index} request={request} language={language} />
        ))}
        <p className="text-xs13 text-dim">
          Set SPOTLINE_KEY to one of{" "}
          <Link href="/keys" className="text-accent-ink underline underline-offset-[3px]">
            your keys
          </Link>
          . Each path leads to its documentation.
        </p>
        <div className="flex justify-end">
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    </Dialog>
  );
}

function RequestCode({ request: ofPanel, language }: { request: ApiRequest; language: Language }) {
  const id = useId();
  const { request, credits } = placeRequest(ofPanel, useShownAt());
  const code = writeCode(language, location.origin, request);
  return (
    <div>
      <div className="flex items-center justify-between gap-3 pb-1.5">
        <p className="text-xs13">
          <a
            href={formatReferencePath(request.path)}
            className="numerals text-accent-ink underline underline-offset-[3px]"
          >
            {request.path}
          </a>{" "}
          <span className="text-dim">
            · {credits} credit{credits === 1 ? "" : "s"}
          </span>
        </p>
        <CopyButton text={code} label={`Code of ${request.path}`} selectId={id} />
      </div>
      <Figure
        as="pre"
        id={id}
        tabIndex={0}
        aria-label={`${language} code of ${request.path}`}
        className="overflow-x-auto rounded-md border border-line bg-raised p-3 text-xs12"
      >
        <CodeText language={language}>{code}</CodeText>
      </Figure>
    </div>
  );
}
