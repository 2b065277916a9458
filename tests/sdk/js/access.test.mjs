// The stock JavaScript SDK v3 with right and wrong credentials, over HTTP and HTTPS.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import https from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { DynamoDBClient, ListTablesCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";

import { startServer } from "./server.mjs";

for (const scheme of ["http", "https"]) {
  describe(scheme, () => {
    let directory, server, handler;

    before(async () => {
      directory = mkdtempSync(join(tmpdir(), "partita-js-access-"));
      const at = (name) => join(directory, name);
      writeFileSync(
        at("credentials.toml"),
        '[[access_key]]\nid = "ADMIN"\nsecret = "right"\n' +
          '[[access_key]]\nid = "READER"\nsecret = "reads"\nuser = "reader"\n' +
          '[[access_key.statement]]\nEffect = "Allow"\nAction = "dynamodb:List*"\nResource = "*"\n',
      );
      const more = ["--credentials", at("credentials.toml")];
      if (scheme === "https") {
        execFileSync(
          "openssl",
          ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
            .concat(["-days", "2", "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1"])
            .concat(["-keyout", at("key.pem"), "-out", at("cert.pem")]),
          { stdio: "ignore" },
        );
        more.push("--tls-cert", at("cert.pem"), "--tls-key", at("key.pem"));
        handler = { httpsAgent: new https.Agent({ ca: readFileSync(at("cert.pem")) }) };
      }
      server = await startServer("memory", more);
    });

    after(async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    const client = (accessKeyId, secretAccessKey) =>
      new DynamoDBClient({
        endpoint: server.url,
        region: "us-east-1",
        credentials: { accessKeyId, secretAccessKey },
        maxAttempts: 1,
        ...(handler ? { requestHandler: handler } : {}),
      });

    test("the right ones get in", async () => {
      const answer = await client("ADMIN", "right").send(new ListTablesCommand({}));
      assert.deepEqual(answer.TableNames, []);
    });

    test("wrong ones do not", async () => {
      await assert.rejects(client("ADMIN", "wrong").send(new ListTablesCommand({})), {
        name: "InvalidSignatureException",
      });
      await assert.rejects(client("NOBODY", "right").send(new ListTablesCommand({})), {
        name: "UnrecognizedClientException",
      });
    });

    test("a policy holds", async () => {
      await client("READER", "reads").send(new ListTablesCommand({}));
      const put = new PutItemCommand({ TableName: "Songs", Item: { pk: { S: "x" } } });
      await assert.rejects(client("READER", "reads").send(put), {
        name: "AccessDeniedException",
        message: /^User: arn:aws:iam::\d+:user\/reader is not authorized to perform: dynamodb:PutItem/,
      });
    });
  });
}
