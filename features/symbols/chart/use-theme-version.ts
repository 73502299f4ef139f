import { useEffect, useState } from "react";

/** A number that changes with the theme of the page, so that what reads its colours can read them again. */
export function useThemeVersion(): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const renew = () => setVersion((before) => before + 1);
    const observer = new MutationObserver(renew);
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const device = matchMedia("(prefers-color-scheme: light)");
    device.addEventListener("change", renew);
    return () => {
      observer.disconnect();
      device.removeEventListener("change", renew);
    };
  }, []);
  return version;
}
