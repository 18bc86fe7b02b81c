import { build } from '../../helpers/app.ts'
import { test } from '../../helpers/tap.ts'
import { submit, swapBody } from '../../helpers/transfer-flow.ts'

const optionsOf = (length: number) => `{"x":"${'x'.repeat(length - '{"x":""}'.length)}"}`

/** For each field of a submission: values at its bounds, and values just beyond them. */
const BOUNDS: { [field: string]: { accepted: unknown[]; refused: unknown[] } } = {
  originAddress: { accepted: ['x'.repeat(128), ''], refused: ['x'.repeat(129), 'a b'] },
  targetAddress: { accepted: ['x'.repeat(128)], refused: ['x'.repeat(129), 'a b', ''] },
  originChain: { accepted: ['x'.repeat(32)], refused: ['x'.repeat(33), ''] },
  targetSymbol: { accepted: ['x'.repeat(32)], refused: ['x'.repeat(33), ''] },
  feeId: { accepted: ['x'.repeat(255), ''], refused: ['x'.repeat(256)] },
  signature: { accepted: ['x'.repeat(4096)], refused: ['x'.repeat(4097)] },
  message: { accepted: ['x'.repeat(2048)], refused: ['x'.repeat(2049)] },
  options: { accepted: [optionsOf(16_384)], refused: [optionsOf(16_385)] },
  decimals: { accepted: [0, 36], refused: [-1, 37, 1.5] },
  htlcCreationVout: { accepted: [0, 2 ** 32 - 1], refused: [-1, 2 ** 32] },
  htlcVersion: { accepted: ['x'.repeat(255)], refused: ['x'.repeat(256)] },
  senderPubKey: { accepted: ['ab'.repeat(128)], refused: ['ab'.repeat(129), 'abc'] },
  fee: { accepted: ['0', '9'.repeat(78)], refused: ['9'.repeat(79), '01', ''] }
}

const TRANSFER_BOUNDS: typeof BOUNDS = {
  ...BOUNDS,
  amount: {
    accepted: ['9'.repeat(78), 1, Number.MAX_SAFE_INTEGER],
    refused: ['9'.repeat(79), '01', Number.MAX_SAFE_INTEGER + 1, 1.5]
  },
  submitAmount: {
    accepted: ['9'.repeat(78), Number.MAX_SAFE_INTEGER],
    refused: ['9'.repeat(79), '01', Number.MAX_SAFE_INTEGER + 1]
  }
}

const SWAP_BOUNDS: typeof BOUNDS = {
  ...BOUNDS,
  amountIn: { accepted: ['9'.repeat(78)], refused: ['9'.repeat(79), '01'] },
  amountOut: { accepted: ['9'.repeat(78)], refused: ['9'.repeat(79), '01'] },
  amountOutDecimals: { accepted: [0, 36], refused: [-1, 37] },
  dex: { accepted: ['x'.repeat(255), ''], refused: ['x'.repeat(256), 'dé'] },
  slippage: { accepted: ['x'.repeat(64), 0], refused: ['x'.repeat(65), -0.1] }
}

for (const [path, bounds] of [
  ['/submit/transfer', TRANSFER_BOUNDS],
  ['/submit/swap', SWAP_BOUNDS]
] as const) {
  test(`POST ${path} accepts each field up to its bounds`, async t => {
    const server = await build(t)
    // Without a feeId, a body that the schema accepts is refused for its options.
    const body = { ...swapBody(), amount: '9'.repeat(78), options: '{}' }
    for (const [field, { accepted, refused }] of Object.entries(bounds)) {
      const answer = async (value: unknown) =>
        (await submit(server, { ...body, [field]: value }, { path })).json()
      for (const value of accepted) {
        t.match(await answer(value), { code: 'OPTIONS_INVALID' }, `${field} ${value}`)
      }
      for (const value of refused) {
        const expected = { code: 'VALIDATION', details: [{ path: `/${field}` }] }
        t.match(await answer(value), expected, `${field} ${value}`)
      }
    }
  })
}
