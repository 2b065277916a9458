"""AWS Signature Version 4, written from its description and independent of the server's own code."""
import datetime
import hashlib
import hmac
import urllib.parse


def mac(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def now():
    return datetime.datetime.now(datetime.timezone.utc)


def amz_date(moment):
    return moment.strftime("%Y%m%dT%H%M%SZ")


def canonical_query(query):
    pairs = sorted((urllib.parse.quote(name, safe="-_.~"), urllib.parse.quote(value, safe="-_.~"))
                   for name, value in urllib.parse.parse_qsl(query, keep_blank_values=True))
    return "&".join(f"{name}={value}" for name, value in pairs)


def signature(secret, scope, date, canonical):
    """`scope` is (YYYYMMDD, region, service, terminator)."""
    key = ("AWS4" + secret).encode()
    for part in scope:
        key = mac(key, part)
    text = "\n".join(["AWS4-HMAC-SHA256", date, "/".join(scope),
                      hashlib.sha256(canonical.encode()).hexdigest()])
    return mac(key, text).hex()


def canonical_request(method, path, query, headers, signed, body):
    """`headers` is a list of (name, value); `signed` a list of lower-case names."""
    lines = []
    for name in signed:
        values = [" ".join(value.split()) for key, value in headers if key.lower() == name]
        lines.append(f"{name}:{','.join(values)}\n")
    return "\n".join([method, urllib.parse.quote(path, safe="/-_.~"), canonical_query(query),
                      "".join(lines), ";".join(signed), hashlib.sha256(body).hexdigest()])


class Signer:
    """Signs a request as SDKs do, unless told to do something else."""

    def __init__(self, key_id, secret, region="us-east-1", service="dynamodb", token=None,
                 terminator="aws4_request"):
        self.key_id, self.secret, self.region, self.service = key_id, secret, region, service
        self.token, self.terminator = token, terminator

    def headers(self, host, target, body, moment=None, signed=None, scope_date=None, extra=()):
        """All headers of a POST to the API, with its Authorization last."""
        date = amz_date(moment or now())
        headers = [("Host", host), ("Content-Type", "application/x-amz-json-1.0"),
                   ("X-Amz-Date", date), ("X-Amz-Target", target), *extra]
        if self.token:
            headers.append(("X-Amz-Security-Token", self.token))
        if signed is None:
            signed = sorted({name.lower() for name, _ in headers})
        scope = (scope_date or date[:8], self.region, self.service, self.terminator)
        canonical = canonical_request("POST", "/", "", headers, signed, body)
        value = signature(self.secret, scope, date, canonical)
        headers.append(("Authorization", f"AWS4-HMAC-SHA256 Credential={self.key_id}/"
                        f"{'/'.join(scope)}, SignedHeaders={';'.join(signed)}, Signature={value}"))
        return headers

    def presigned(self, host, target, body, moment=None, expires=60):
        """(target of the request line, headers) of a POST whose signature is in the query."""
        date = amz_date(moment or now())
        scope = (date[:8], self.region, self.service, self.terminator)
        headers = [("Host", host), ("Content-Type", "application/x-amz-json-1.0"),
                   ("X-Amz-Target", target)]
        query = {"X-Amz-Algorithm": "AWS4-HMAC-SHA256",
                 "X-Amz-Credential": f"{self.key_id}/{'/'.join(scope)}", "X-Amz-Date": date,
                 "X-Amz-SignedHeaders": "content-type;host;x-amz-target"}
        if expires is not None:
            query["X-Amz-Expires"] = str(expires)
        text = urllib.parse.urlencode(query, quote_via=urllib.parse.quote)
        canonical = canonical_request("POST", "/", text, headers,
                                      ["content-type", "host", "x-amz-target"], body)
        return f"/?{text}&X-Amz-Signature={signature(self.secret, scope, date, canonical)}", headers
