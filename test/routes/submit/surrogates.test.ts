import { build } from '../../helpers/app.ts'
import { test } from '../../helpers/tap.ts'
import { submit, transferBody } from '../../helpers/transfer-flow.ts'

/** Half of a surrogate pair, which JSON can represent but UTF-8 cannot. */
const HALF = '\ud800'

test('rejects half of a surrogate pair in a body and names the field', async t => {
  const server = await build(t)
  const body = await transferBody(server)
  const cases: [object, string][] = [
    [{ feeId: `f${HALF}` }, '/feeId'],
    [{ message: `${HALF}\ud83d` }, '/message'],
    [{ newer: [{ 'a/b~c': HALF }] }, '/newer/0/a~1b~0c'],
    [{ newer: { [HALF]: 1 } }, '/newer']
  ]
  for (const [change, path] of cases) {
    const answer = (await submit(server, { ...body, ...change })).json()
    t.match(answer, { statusCode: 400, code: 'VALIDATION', details: [{ path }] }, path)
  }
  const named = await submit(server, { ...body, [HALF]: 1 })
  t.match(named.json(), { message: /^body must be well-formed/, details: [{ path: '' }] })
  t.match((await server.inject({ method: 'POST', url: '/kyc', body: { uuid: HALF } })).json(), {
    code: 'VALIDATION',
    details: [{ path: '/uuid' }]
  })
  t.equal(
    (await submit(server, { ...body, newer: '\ud83d\ude00' })).statusCode,
    200,
    'a complete pair is accepted'
  )
})

test('rejects a deeply nested body without timing out', async t => {
  const server = await build(t)
  const depth = 30_000
  const headers = { 'content-type': 'application/json' }
  const payload = `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`
  t.match((await server.inject({ method: 'POST', url: '/submit', payload, headers })).json(), {
    code: 'VALIDATION'
  })
})
