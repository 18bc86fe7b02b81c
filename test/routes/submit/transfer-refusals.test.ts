import { build } from '../../helpers/app.ts'
import { test } from '../../helpers/tap.ts'
import { submit, TRANSFER } from '../../helpers/transfer-flow.ts'

const BODY = {
  ...TRANSFER,
  amount: '100500000',
  fee: '412750',
  decimals: 6,
  options: '{"feeId":"f-1","signature":"0xsigned"}'
}

/** Version 1.4, with the amount in whole tokens. */
const OLDER = { submitAmount: '99000000', fee: undefined }

/** Title, change of the body, error code, and the parameter in the error. */
const CASES: [string, object, string, string][] = [
  ['options as an object', { options: { feeId: 'f-1', signature: 's' } }, 'VALIDATION', '/options'],
  ['options that are no JSON', { options: 'feeId' }, 'OPTIONS_INVALID', '/options'],
  ['no feeId', { options: '{"signature":"s"}' }, 'OPTIONS_INVALID', '/options/feeId'],
  ['no signature', { options: '{"feeId":"f-1"}' }, 'OPTIONS_INVALID', '/options/signature'],
  ['contradicting feeIds', { feeId: 'f-2' }, 'OPTIONS_INVALID', '/feeId'],
  ['an amount in whole tokens', { amount: '100.5' }, 'VALIDATION', '/amount'],
  ['a number that is not exact', { amount: 1e21 }, 'VALIDATION', '/amount'],
  ['an amount of zero', { amount: 0 }, 'VALIDATION', '/amount'],
  ['no amount', { amount: undefined }, 'VALIDATION', '/amount'],
  ['no fee', { fee: undefined }, 'VALIDATION', '/fee'],
  ['an empty address', { originAddress: '' }, 'ADDRESS_INVALID', '/originAddress'],
  ['zero in the 1.4 form', { submitAmount: 0 }, 'VALIDATION', '/submitAmount'],
  ['a 1.4 amount below the submitAmount', { ...OLDER, amount: '98.999999' }, 'VALIDATION', '/amount'],
  ['a 1.4 amount in the smallest unit', { ...OLDER, amount: 1 }, 'VALIDATION', '/amount'],
  ['a 1.4 amount that is no number', { ...OLDER, amount: 'a hundred' }, 'VALIDATION', '/amount'],
  ['a negative 1.4 amount', { ...OLDER, amount: -100 }, 'VALIDATION', '/amount']
]

test('a body that is not a valid transfer is a 400 that names the field', async t => {
  const server = await build(t)
  for (const [name, change, code, path] of CASES) {
    for (const url of ['/submit', '/submit/transfer']) {
      const response = await submit(server, { ...BODY, ...change }, { path: url })
      t.match(response.json(), { statusCode: 400, code, details: [{ path }] }, name)
    }
  }
  t.equal((await server.inject('/tx/1/status')).statusCode, 404, 'nothing reached the chain')
})
