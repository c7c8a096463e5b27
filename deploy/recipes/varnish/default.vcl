vcl 4.1;

# Varnish 6 or later: sends the points to `continuation-point serve`, which listens on 127.0.0.1:8080 and trusts Varnish
# (listen.trustedProxies), past the cache. TLS ends in front of Varnish. Lines marked CHANGE are of the example.
#
# Every request carries cookies, and responses may have as many. varnishd needs room for them:
#   -p http_max_hdr=512 -p http_req_hdr_len=64k -p http_req_size=64k -p workspace_client=256k
#   -p http_resp_hdr_len=72k -p http_resp_size=72k -p workspace_backend=288k

backend site {
  .host = "127.0.0.1"; # CHANGE
  .port = "3000"; # CHANGE
}

backend continuation_point {
  .host = "127.0.0.1"; # CHANGE
  .port = "8080"; # CHANGE
  # Longer than serve waits for the service, so that its answer says why.
  .first_byte_timeout = 70s;
  .between_bytes_timeout = 70s;
}

# What ends TLS in front of Varnish, and may say who the visitor is.
acl continuation_trusted {
  "127.0.0.0"/8; # CHANGE
  "::1"; # CHANGE
}

# Before the site's own vcl_recv: the first one that returns decides.
sub vcl_recv {
  if (req.http.host ~ "(?i)^www\.example\.com(?::443)?$" # CHANGE
    && req.url ~ "^(?:/shop)?/service_cookie_transfer(?:[/?]|$)") { # CHANGE
    # TRACE would echo httpOnly cookies.
    if (req.method == "TRACE" || req.method == "CONNECT") {
      return (synth(405));
    }
    # serve believes what Varnish says: a client's own fields must not get through.
    set req.http.X-Forwarded-Proto = "https";
    if (client.ip !~ continuation_trusted) {
      set req.http.X-Forwarded-For = client.ip;
    }
    unset req.http.X-Forwarded-Host;
    unset req.http.X-Forwarded-Port;
    unset req.http.X-Forwarded-Server;
    unset req.http.Forwarded;
    unset req.http.X-Request-Id;
    unset req.http.Upgrade;
    set req.backend_hint = continuation_point;
    # Never from the cache, whatever the response says.
    return (pass);
  }
}

sub vcl_backend_response {
  if (bereq.backend == continuation_point) {
    set beresp.uncacheable = true;
    # The body stays as it is: not decompressed, compressed or parsed.
    set beresp.filters = "";
    return (deliver);
  }
}
