-- wrk script: sends prepared bodies in turn, so that making requests costs the load side nothing.
-- Arguments: a file with one body per line, and the X-Amz-Target operation.
local prepared, count, next_index = {}, 0, 0

function init(args)
  local headers = {
    ["Content-Type"] = "application/x-amz-json-1.0",
    ["X-Amz-Target"] = "DynamoDB_20120810." .. args[2],
    ["Authorization"] = "AWS4-HMAC-SHA256 Credential=bench/20260101/us-east-1/dynamodb/aws4_request, "
      .. "SignedHeaders=host;x-amz-date;x-amz-target, Signature=" .. string.rep("0", 64),
    ["X-Amz-Date"] = "20260101T000000Z",
  }
  for body in io.lines(args[1]) do
    count = count + 1
    prepared[count] = wrk.format("POST", "/", headers, body)
  end
end

function request()
  next_index = next_index % count + 1
  return prepared[next_index]
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    "RESULT requests=%d microseconds=%d p50=%d p99=%d failed=%d\n",
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
