import { LiveHub } from "@/components/shared/live/live-hub";

/** The shared worker of the windows that are rendered for one account, whose id is the worker's name. */

interface Scope {
  readonly name: string;
  onconnect: ((event: MessageEvent) => void) | null;
}

const scope = globalThis as unknown as Scope;
const hub = new LiveHub(scope.name);
scope.onconnect = ({ ports }) => {
  for (const port of ports) hub.connect(port);
};
