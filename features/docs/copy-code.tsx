"use client";

import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { CopyButton } from "@/components/ui/copy-button";

/** Puts a button that copies into the place beside each block of code. Without scripts there is none. */
export function CopyCode() {
  const [places, setPlaces] = useState<readonly HTMLElement[]>([]);

  useEffect(() => {
    const find = () => setPlaces([...document.querySelectorAll<HTMLElement>("[data-copy]")]);
    const frame = requestAnimationFrame(find);
    return () => cancelAnimationFrame(frame);
  }, []);

  return places.map((place) => {
    const { copy: id = "", label = "" } = place.dataset;
    const text = document.getElementById(id)?.textContent ?? "";
    return createPortal(<CopyButton text={text} label={label} selectId={id} />, place, id);
  });
}
