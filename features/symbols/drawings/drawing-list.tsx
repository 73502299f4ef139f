import { Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { announce } from "@/components/ui/announcer";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Figure } from "@/components/ui/figure";
import type { DrawingDesk } from "@/features/symbols/drawings/drawing-desk";
import { readDrawingFile, writeDrawingFile } from "@/features/symbols/drawings/drawing-file";
import type { DrawingStore } from "@/features/symbols/drawings/drawing-store";
import { getKind, isHidden, isKnown, readText } from "@/features/symbols/drawings/kinds";
import { HideButton } from "@/features/symbols/drawings/style-bar";
import { KindIcon } from "@/features/symbols/drawings/tool-bar";
import { saveFile } from "@/features/symbols/save-buttons";
import type { SymbolInstrument } from "@/features/symbols/types";
import { createDrawingId, type Drawing, DRAWING_LIMITS } from "@/lib/access/drawing";
import { formatPrice } from "@/lib/market/price";

interface DrawingListProps {
  isOpen: boolean;
  onClose: () => void;
  desk: DrawingDesk;
  store: DrawingStore;
  instrument: SymbolInstrument;
  drawings: readonly Drawing[];
}

const MOST = DRAWING_LIMITS.perSymbol;

/** All drawings of the symbol, also those that this version cannot show, and their file. */
export function DrawingList({ isOpen, onClose, ...list }: DrawingListProps) {
  return (
    <Dialog open={isOpen} title={`Drawings on ${list.instrument.symbol}`} onDismiss={onClose}>
      <ListContent {...list} onClose={onClose} />
    </Dialog>
  );
}

function ListContent({ desk, store, instrument, drawings, onClose }: Omit<DrawingListProps, "isOpen">) {
  const { symbol, digits } = instrument;
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState("");
  const known = drawings.filter(isKnown);
  const others = drawings.filter((each) => !isKnown(each));

  async function take(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    const read = readDrawingFile(await file.text());
    if (read.problem !== null) return setProblem(read.problem);
    const here = new Set(drawings.map(({ id }) => id));
    const added = read.drawings.filter(({ id }) => !here.has(id));
    if (drawings.length + added.length > MOST) return setProblem(`A symbol has at most ${MOST} drawings.`);
    // A drawing of another chart keeps its id there.
    store.put(read.drawings.map((each) => (here.has(each.id) ? each : { ...each, id: createDrawingId() })));
    setProblem(read.symbol === null || read.symbol === symbol ? "" : `These are drawings of ${read.symbol}.`);
    announce(`${read.drawings.length} drawings imported`);
  }

  return (
    <>
      {drawings.length === 0 && (
        <p className="mt-2 text-dim">
          Nothing is drawn yet. Choose a tool beside the chart, or press Alt and its letter.
        </p>
      )}
      <ul className="mt-3 grid max-h-[50dvh] overflow-y-auto text-xs13">
        {known.toReversed().map((drawing) => (
          <li key={drawing.id} className="flex items-center gap-2 border-t border-line py-0.5 first:border-t-0">
            <button
              type="button"
              disabled={isHidden(drawing)}
              onClick={() => {
                onClose();
                desk.choose(null);
                desk.select(drawing.id);
              }}
              className="flex h-9 min-w-0 flex-1 items-center gap-2.5 rounded-md px-1.5 text-left hover:bg-hover disabled:text-faint"
            >
              <KindIcon kind={drawing.kind} />
              <span className="flex-none">{getKind(drawing.kind).title}</span>
              <span className="min-w-0 flex-1 truncate text-dim">{readText(drawing)}</span>
              <Figure className="text-dim">{formatPrice(drawing.points[0]?.[1] ?? 0, digits)}</Figure>
            </button>
            <HideButton
              isShown={!isHidden(drawing)}
              onClick={() => store.put([{ ...drawing, isHidden: isHidden(drawing) ? undefined : true }])}
            />
            <DeleteButton name={getKind(drawing.kind).title} onClick={() => store.remove([drawing.id])} />
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <section aria-labelledby="unknown-drawings" className="mt-3 border-t border-line pt-2 text-xs13">
          <h3 id="unknown-drawings" className="text-dim">
            Not shown: drawings of a newer version, which are kept as they are
          </h3>
          <ul>
            {others.map(({ id, kind }) => (
              <li key={id} className="flex h-9 items-center justify-between px-1.5">
                <span translate="no" className="font-mono">
                  {kind}
                </span>
                <DeleteButton name={kind} onClick={() => store.remove([id])} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {problem !== "" && (
        <p role="alert" className="mt-3 text-xs13 text-down">
          {problem}
        </p>
      )}
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        {drawings.length > 0 && (
          <Button look="quiet" className="mr-auto" onClick={() => store.remove(drawings.map(({ id }) => id))}>
            Delete all
          </Button>
        )}
        <input
          ref={input}
          type="file"
          accept=".json,application/json"
          aria-label="File of drawings"
          hidden
          onChange={({ target }) => void take(target.files?.[0]).finally(() => (target.value = ""))}
        />
        <Button onClick={() => input.current?.click()}>Import…</Button>
        <Button
          disabled={drawings.length === 0}
          onClick={() => {
            const json = writeDrawingFile(symbol, drawings);
            saveFile(new Blob([json], { type: "application/json" }), `${symbol}-drawings.json`);
            announce("Drawings saved as a file");
          }}
        >
          Export
        </Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  );
}

function DeleteButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={`Delete ${name}`}
      title="Delete"
      onClick={onClick}
      className="grid size-7 place-items-center rounded-md text-dim hover:bg-hover hover:text-ink max-md:size-9"
    >
      <Trash2 aria-hidden size={14} />
    </button>
  );
}
