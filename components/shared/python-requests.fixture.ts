/** A module in Python's place of the package `requests`, which may not be installed: what examples use of it. */
export const PYTHON_REQUESTS = [
  "import sys, types, json, urllib.request",
  "class Response:",
  "    def __init__(self, text): self.text = text",
  "    def json(self): return json.loads(self.text)",
  "def send(url, headers, json_body=None):",
  "    data = None if json_body is None else json.dumps(json_body, separators=(',', ':')).encode()",
  "    more = {} if data is None else {'Content-Type': 'application/json'}",
  "    return Response(urllib.request.urlopen(urllib.request.Request(url, data, {**headers, **more})).read())",
  "module = types.ModuleType('requests')",
  "module.get = lambda url, headers: send(url, headers)",
  "module.post = lambda url, headers, json: send(url, headers, json)",
  "sys.modules['requests'] = module",
].join("\n");
