import { writeFileSync } from "node:fs";
import { CLIENT_TYPES_FILE, writeClientTypes } from "@/scripts/client-types";
import { PYTHON_CLIENT_FILE, writePythonClient } from "@/scripts/python-client";

/** `npm run generate:clients`: writes the generated parts of the clients, after a change of the API. */
writeFileSync(CLIENT_TYPES_FILE, await writeClientTypes());
writeFileSync(PYTHON_CLIENT_FILE, writePythonClient());
