import jakarta.servlet.http.*;
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.util.*;

/**
 * Forwards a continuation point; map it to the point's path. For encoded slashes, Tomcat's Connector needs
 * encodedSolidusHandling="passthrough", Jetty's HttpConfiguration UriCompliance.RFC3986; for 64 KiB of cookies
 * maxHttpRequestHeaderSize, or requestHeaderSize.
 */
public class ContinuationPoint extends HttpServlet {
    private static final String SERVICE = System.getenv("SERVICE_URL"); // CHANGE, or set it: the origin of the service
    private static final Set<String> NOT_ON = Set.of("connection", "keep-alive", "proxy-connection", "te", "trailer",
            "transfer-encoding", "upgrade", "host", "expect", "content-length", "forwarded", "x-continuation-origin", "x-widget-key");
    private static final Set<String> NOT_BACK = Set.of("connection", "keep-alive", "proxy-connection", "trailer",
            "transfer-encoding", "upgrade", "date", "alt-svc", "strict-transport-security", "clear-site-data",
            "service-worker-allowed", "nel", "report-to");
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER).build();

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getRequestURI(); // not decoded
        String target = path + (request.getQueryString() == null ? "" : "?" + request.getQueryString());
        if (request.getMethod().equals("TRACE") || path.replaceAll("(?i)%2e", ".").matches(".*(/|%2f|%5c)\\.\\.?(/|%2f|%5c|$).*")) {
            response.sendError(400);
            return;
        }
        // What browsers leave as it is, and java.net.URI refuses.
        String valid = target.replace("|", "%7C").replace("^", "%5E").replace("{", "%7B").replace("}", "%7D").replace("`", "%60");
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(SERVICE + valid)).timeout(java.time.Duration.ofSeconds(35));
        for (String name : Collections.list(request.getHeaderNames())) {
            String lower = name.toLowerCase(Locale.ROOT).replace('_', '-');
            if (NOT_ON.contains(lower) || lower.startsWith("x-forwarded-")) continue;
            for (String value : Collections.list(request.getHeaders(name))) builder.header(name, value);
        }
        builder.header("X-Continuation-Origin", System.getenv("POINT_ORIGIN")).header("X-Widget-Key", System.getenv("WIDGET_KEY"));
        long length = request.getContentLengthLong();
        InputStream in = request.getInputStream();
        HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofInputStream(() -> in);
        if (length > 0) body = HttpRequest.BodyPublishers.fromPublisher(body, length);
        else if (request.getHeader("Transfer-Encoding") == null) body = HttpRequest.BodyPublishers.noBody();
        try {
            HttpResponse<InputStream> answer = client.send(builder.method(request.getMethod(), body).build(), HttpResponse.BodyHandlers.ofInputStream());
            response.setStatus(answer.statusCode());
            answer.headers().map().forEach((name, values) -> values.forEach(value -> {
                if (!NOT_BACK.contains(name.toLowerCase(Locale.ROOT))) response.addHeader(name, value);
            }));
            if (answer.headers().firstValue("Cache-Control").isEmpty()) response.setHeader("Cache-Control", "private, no-store");
            try (InputStream out = answer.body()) {
                byte[] piece = new byte[65_536];
                for (int read; (read = out.read(piece)) >= 0; response.flushBuffer()) response.getOutputStream().write(piece, 0, read);
            }
        } catch (InterruptedException stopped) {
            response.sendError(503);
        }
    }
}
