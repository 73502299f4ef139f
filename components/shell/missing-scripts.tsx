import { headers } from "next/headers";

/**
 * Watches whether the scripts of the page arrive. Without them its prices would stand still and nothing would say so: a
 * page of one build whose scripts are requested from a server of another one, or a network that lost some. The page is loaded
 * again once a minute at most, then it says what is missing. It runs before all other scripts and depends on none.
 */
export async function MissingScripts() {
  const nonce = /'nonce-([^']+)'/.exec((await headers()).get("content-security-policy") ?? "")?.[1];
  // Browsers hide the nonce from scripts, so React would find another one.
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: SOURCE }} />;
}

/** After loading, a part that is missing is an error of the page's own, which keeps what was typed. */
const SOURCE = `addEventListener("error", function (event) {
  var script = event.target;
  if (document.readyState === "complete" || !script || script.tagName !== "SCRIPT") return;
  if (script.src.indexOf("/_next/static/") === -1) return;
  try {
    var last = Number(sessionStorage.getItem("spotline-missing"));
    if (Math.abs(Date.now() - last) > 60000) {
      sessionStorage.setItem("spotline-missing", Date.now());
      return location.reload();
    }
  } catch (error) {}
  if (document.getElementById("missing-scripts")) return;
  var text = document.createElement("p");
  text.id = "missing-scripts";
  text.setAttribute("role", "alert");
  text.textContent = "A part of this page did not arrive, so its prices stand still. Load it again.";
  text.style.cssText = "position:fixed;inset:0 0 auto;z-index:99;margin:0;padding:.5rem;text-align:center;background:#e9b04b;color:#191a17";
  document.body.append(text);
}, true);`;
