<?php
// Forwards a continuation point. Have every URL below its path run this file, whatever the method, without rewriting it:
// nginx: location ^~ /service_cookie_transfer/ { include fastcgi_params; fastcgi_param SCRIPT_FILENAME …/point.php;
//   fastcgi_pass …; fastcgi_buffering off; client_max_body_size 0; }
// php.ini or the pool: enable_post_data_reading = 0, output_buffering = 0, zlib.output_compression = 0
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'date'];
const ORIGIN_WIDE = ['alt-svc', 'strict-transport-security', 'clear-site-data', 'service-worker-allowed', 'nel', 'report-to'];
$service = getenv('SERVICE_URL'); // CHANGE, or set it: the origin of the service
$own = ['X-Continuation-Origin: ' . getenv('POINT_ORIGIN'), 'X-Widget-Key: ' . getenv('WIDGET_KEY')];

[$method, $target] = [$_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI']];
$path = rawurldecode(explode('?', $target)[0]);
if (in_array($method, ['TRACE', 'CONNECT']) || preg_match('~(^|[/\\\\])\.\.?([/\\\\]|$)~', $path)) {
    http_response_code(400);
    exit("Not a request of a continuation point\n");
}
$fields = [...$own, 'Expect:', 'Accept:'];
foreach (getallheaders() as $name => $value) {
    $lower = strtr(strtolower($name), '_', '-');
    $isOwn = in_array($lower, ['host', 'expect', 'content-length', 'forwarded', 'x-continuation-origin', 'x-widget-key']);
    if ($isOwn || in_array($lower, HOP_BY_HOP) || str_starts_with($lower, 'x-forwarded-')) continue;
    if ($lower === 'accept') $fields = array_diff($fields, ['Accept:']);
    $fields[] = $value === '' ? "$name;" : "$name: $value";
}
ini_set('default_mimetype', '');
header_remove('X-Powered-By');
$isStored = false;
$curl = curl_init($service . $target);
curl_setopt_array($curl, [
    CURLOPT_CUSTOMREQUEST => $method,
    CURLOPT_PATH_AS_IS => true,
    CURLOPT_FOLLOWLOCATION => false,
    CURLOPT_TIMEOUT => 40,
    CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$isStored) {
        [$name, $value] = [...explode(':', trim($line), 2), null];
        $lower = strtolower($name);
        $isStored = $isStored || $lower === 'cache-control';
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if (trim($line) === '' && $status >= 200 && !$isStored) header('Cache-Control: private, no-store');
        if ($value === null || $status < 200 || in_array($lower, [...HOP_BY_HOP, ...ORIGIN_WIDE])) return strlen($line);
        header(trim($line), false, $status);
        return strlen($line);
    },
    CURLOPT_WRITEFUNCTION => function ($curl, string $piece) {
        echo $piece;
        flush();
        return connection_aborted() ? 0 : strlen($piece);
    },
]);
$length = $_SERVER['CONTENT_LENGTH'] ?? '';
if ($length !== '' || isset($_SERVER['HTTP_TRANSFER_ENCODING'])) {
    $body = fopen('php://input', 'rb');
    curl_setopt_array($curl, [CURLOPT_UPLOAD => true, CURLOPT_INFILE => $body, CURLOPT_INFILESIZE => $length === '' ? -1 : (int) $length]);
}
if ($method === 'HEAD') curl_setopt($curl, CURLOPT_NOBODY, true);
curl_setopt($curl, CURLOPT_HTTPHEADER, array_values($fields));
if (curl_exec($curl) === false && !headers_sent()) http_response_code(502);
