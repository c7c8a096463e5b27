"""A small WSGI app that says whose request it answers. It gives HEAD a body, as careless apps do."""


def app(environ, start_response):
    if environ["REQUEST_METHOD"] == "POST":
        while environ["wsgi.input"].read(65536):
            pass
    name = environ["PATH_INFO"].rsplit("/", 1)[1]
    cookie = environ.get("HTTP_COOKIE", "sid=none").removeprefix("sid=")
    body = f"<{name}> {{{cookie}}}".encode()
    start_response("200 OK", [("Content-Length", str(len(body))), ("Set-Cookie", f"sid={cookie}")])
    return [body]
