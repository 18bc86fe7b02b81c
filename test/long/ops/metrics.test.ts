import { execFileSync } from 'node:child_process'
import { build } from '../../helpers/app.ts'
import { test } from '../../helpers/tap.ts'
import { submit, transferBody } from '../../helpers/transfer-flow.ts'

test('promtool accepts the format and names of the metrics', async t => {
  const server = await build(t)
  t.equal((await submit(server, await transferBody(server))).statusCode, 200)
  const { body } = await server.inject('/metrics')
  t.equal(execFileSync('promtool', ['check', 'metrics'], { input: body, encoding: 'utf8' }), '')
})
