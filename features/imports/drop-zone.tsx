"use client";

import { FileUp } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { type PickedFile, readDrop, readPicked } from "@/features/imports/uploads";

interface DropZoneProps {
  /** What to drop: "Drop files of prices here". */
  title: string;
  /** Takes the files. What it throws is shown. */
  onFiles: (files: readonly PickedFile[]) => Promise<void>;
}

/** Takes files and folders that are dropped on it, or picked with its buttons. */
export function DropZone({ title, onFiles }: DropZoneProps) {
  const filesRef = useRef<HTMLInputElement>(null);
  const folderRef = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function take(reading: Promise<readonly PickedFile[]>): Promise<void> {
    setError(null);
    setIsBusy(true);
    try {
      const files = await reading;
      if (files.length === 0) setError("There is no file in it.");
      else await onFiles(files);
    } catch (problem) {
      const { message, name } = problem as Error;
      setError(name === "TypeError" ? "The server cannot be reached. Try again." : message);
    }
    setIsBusy(false);
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    setIsOver(false);
    if (!isBusy) void take(readDrop(event.dataTransfer));
  }

  const pick = (input: HTMLInputElement) => {
    const files = readPicked(input.files ?? []);
    input.value = "";
    if (files.length > 0) void take(Promise.resolve(files));
  };

  return (
    <div className="grid gap-3">
      <div
        data-drop-zone
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
        className={`grid justify-items-center gap-3 rounded-lg border border-dashed px-4 py-8 text-center ${isOver ? "border-accent-ink bg-hover" : "border-edge bg-panel"}`}
      >
        <FileUp aria-hidden size={22} strokeWidth={1.5} className="text-faint" />
        <p>
          <span className="font-medium">{title}</span>
          <span className="text-dim max-md:hidden">, or choose them.</span>
        </p>
        <div className="flex flex-wrap justify-center gap-2">
          <Button look="primary" disabled={isBusy} onClick={() => filesRef.current?.click()}>
            {isBusy ? "Please wait" : "Choose files"}
          </Button>
          <Button disabled={isBusy} onClick={() => folderRef.current?.click()}>
            Choose a folder
          </Button>
        </div>
        <input
          ref={filesRef}
          type="file"
          multiple
          tabIndex={-1}
          aria-hidden
          className="hidden"
          data-files
          onChange={(event) => pick(event.currentTarget)}
        />
        <input
          ref={(input) => {
            input?.setAttribute("webkitdirectory", "");
            folderRef.current = input;
          }}
          type="file"
          multiple
          tabIndex={-1}
          aria-hidden
          className="hidden"
          onChange={(event) => pick(event.currentTarget)}
        />
      </div>
      {error !== null && <Notice tone="error">{error}</Notice>}
    </div>
  );
}
