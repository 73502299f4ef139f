-- The origins whose pages may use a key in a browser. An empty list allows all.
ALTER TABLE api_key ADD COLUMN allowed_origins TEXT[] NOT NULL DEFAULT '{}';
