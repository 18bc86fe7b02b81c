import { randomUUID } from 'node:crypto'
import { DEVELOPMENT_WALLET } from '../../../packages/devnet/wallets.ts'
import { transactionIdSignature } from '../../../services/fiat/transaction-id.ts'
import { createSigner } from '../../../services/wallet/signer.ts'
import { build, startNetwork } from '../../helpers/app.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { test } from '../../helpers/tap.ts'
import { cardBody, submit } from '../../helpers/transfer-flow.ts'

/** The server's wallet. */
const signer = await createSigner({ mnemonic: DEVELOPMENT_WALLET, prefix: 'service' })

const BANK = { originChain: 'BANK', originSymbol: 'EUR', targetChain: 'BASE', targetSymbol: 'EURC' }

test('submits every rail as FIAT, whether the client sends FIAT, CC or BANK', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  const [seed, sameSeed] = [randomUUID(), randomUUID()]
  const withoutSeed = { transactionIdSeed: undefined }
  const sepa = { paymentMethod: 'sepaEur' }
  const kept = { chargeFeeAtTarget: true, message: 'I approve' }
  const bodies = [
    cardBody({ signature: '0xsigned' }, { ...kept, transactionIdSignature: 'from the client' }),
    cardBody({ originChain: 'FIAT' }),
    cardBody(BANK, sepa),
    cardBody({ ...BANK, originChain: 'FIAT' }, sepa),
    cardBody({ originAddress: 'anything', ccTransactionIdSeed: seed }, withoutSeed),
    cardBody({ fiatTransactionIdSeed: sameSeed }, { transactionIdSeed: sameSeed })
  ]
  for (const body of bodies) t.equal((await submit(server, body)).statusCode, 200)
  const swap = { ...cardBody(), amountIn: '10050', amountOut: '99000000', amountOutDecimals: 6 }
  t.equal((await submit(server, swap, { path: '/submit/swap' })).statusCode, 200)

  const { transfers, swaps } = messagesOn(devnet)
  t.equal(transfers.length, bodies.length)
  t.match(JSON.parse(transfers[0]?.['options'] ?? ''), kept)
  t.match(transfers[0], { originSymbol: 'USD', amount: '100.5' })
  const [status] = (await server.inject('/tx/1/status')).json().data.transaction_data
  t.match(status, { originchain: 'FIAT', originaddress: '' })
  t.match(swaps, [{ amountIn: '100.5', amountOut: '99', fee: '0.42' }])
  for (const { originChain, originAddress, options } of [...transfers, ...swaps]) {
    t.same({ originChain, originAddress }, { originChain: 'FIAT', originAddress: '' })
    const { transactionIdSeed, transactionIdSignature: signature, ...rest } = JSON.parse(options ?? '')
    t.equal(signature, await transactionIdSignature(transactionIdSeed, signer))
    t.match(rest, { feeId: /./, paymentMethod: /^(creditCard|sepaEur)$/ })
    t.notOk('signature' in rest)
  }
})

/** Payment methods that need a quote which names them, and values that are none. */
const UNKNOWN: [originChain: string, paymentMethod: unknown][] = [
  ...[
    'CREDITCARD',
    'creditCard ',
    ' creditCard',
    'googlePay',
    '\u0441reditCard',
    'creditCard\u200b',
    'sepaEur'
  ].map((method): [string, string] => ['CC', method]),
  ...['SEPAEUR', 'sepaEur\n', 'creditCard', '\u017fepaEur'].map((method): [string, string] => [
    'BANK',
    method
  ]),
  ...['CREDITCARD', 'googlePay', '', undefined, ['creditCard']].map((method): [string, unknown] => [
    'FIAT',
    method
  ]),
  ['CC', ['creditCard']],
  ['CC', { toString: 'creditCard' }],
  ['CC', null],
  ['BANK', 1]
]

test('without a known quote, accepts only the payment method of the rail, exactly as written', async t => {
  for (const settings of [{}, { SERVICE_QUOTE_CHECK: 'off' }]) {
    const server = await build(t, settings)
    for (const [originChain, paymentMethod] of UNKNOWN) {
      const ends = originChain === 'BANK' ? BANK : { originChain }
      const body = cardBody(ends, { paymentMethod })
      const swap = { ...body, amountIn: '10050', amountOut: '99000000', amountOutDecimals: 6 }
      for (const [path, sent] of [
        ['/submit', body],
        ['/submit/swap', swap]
      ] as const)
        t.match(
          (await submit(server, sent, { path })).json(),
          {
            code: 'OPTIONS_INVALID',
            message: /options.paymentMethod must be \w+/,
            details: [{ path: '/options/paymentMethod' }]
          },
          `${originChain} ${JSON.stringify(paymentMethod)}`
        )
    }
    t.equal((await server.inject('/tx/1/status')).statusCode, 404, 'nothing was sent to the chain')
  }
})
