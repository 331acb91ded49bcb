# Views: figures and events -> text and JSON.
