"""Forwards a continuation point in front of a WSGI site, under gunicorn, which keeps the request's target as it came:

    gunicorn --limit-request-line 0 --limit-request-field_size 0 --threads 8 point:app
"""
import http.client
import os
import re
from urllib.parse import unquote, urlsplit

from site_app import application  # CHANGE: the WSGI application of the site

POINT = '/service_cookie_transfer/'  # CHANGE: the path of the point
SERVICE = urlsplit(os.environ['SERVICE_URL'])  # the origin of the service
OWN = {'X-Continuation-Origin': os.environ['POINT_ORIGIN'], 'X-Widget-Key': os.environ['WIDGET_KEY']}
HOP_BY_HOP = 'connection keep-alive proxy-connection te trailer transfer-encoding upgrade server date'
ORIGIN_WIDE = 'alt-svc strict-transport-security clear-site-data service-worker-allowed nel report-to'
NOT_BACK = {*HOP_BY_HOP.split(), *ORIGIN_WIDE.split()}
NOT_ON = {*HOP_BY_HOP.split(), 'host', 'expect', 'content-length', 'forwarded', *map(str.lower, OWN)}
DOTS = re.compile(r'(?:^|[/\\])\.\.?(?:[/\\]|$)')


def app(environ, start_response):
    target = environ['RAW_URI']
    path = target.split('?')[0]
    if not path.startswith(POINT):
        return application(environ, start_response)
    if environ['REQUEST_METHOD'] in ('TRACE', 'CONNECT') or DOTS.search(unquote(path)):
        start_response('400 Bad Request', [('Content-Type', 'text/plain')])
        return [b'Not a request of a continuation point\n']
    return forward(environ, target, start_response)


def forward(environ, target, start_response):
    connect = http.client.HTTPSConnection if SERVICE.scheme == 'https' else http.client.HTTPConnection
    upstream = connect(SERVICE.netloc, timeout=35)
    upstream.putrequest(environ['REQUEST_METHOD'], target, skip_accept_encoding=True)
    for name, value in [*request_fields(environ), *OWN.items()]:
        upstream.putheader(name, value.encode('latin-1'))
    length = environ.get('CONTENT_LENGTH')
    chunked = not length and 'chunked' in environ.get('HTTP_TRANSFER_ENCODING', '').lower()
    if length or chunked:
        upstream.putheader(*(('Content-Length', length) if length else ('Transfer-Encoding', 'chunked')))
    body = iter(lambda: environ['wsgi.input'].read(65536), b'') if length or chunked else None
    upstream.putheader('Connection', 'close')
    upstream.endheaders(body, encode_chunked=chunked)
    answer = upstream.getresponse()
    fields = [(name, value) for name, value in answer.getheaders() if name.lower() not in NOT_BACK]
    if not any(name.lower() == 'cache-control' for name, _ in fields):
        fields.append(('Cache-Control', 'private, no-store'))
    start_response(f'{answer.status} {answer.reason or "-"}', fields)
    return iter(lambda: answer.read1(65536), b'')


def request_fields(environ):
    yield from (('Content-Type', environ['CONTENT_TYPE']),) if environ.get('CONTENT_TYPE') else ()
    for key, value in environ.items():
        name = key[5:].replace('_', '-').title() if key.startswith('HTTP_') else ''
        if name and name.lower() not in NOT_ON and not name.startswith('X-Forwarded-'):
            yield name, value
