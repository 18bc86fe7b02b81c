import { randomUUID } from 'node:crypto'
import { DEVELOPMENT_WALLET } from '../../../packages/devnet/wallets.ts'
import { transactionIdSignature } from '../../../services/fiat/transaction-id.ts'
import { createSigner } from '../../../services/wallet/signer.ts'
import { build, startNetwork } from '../../helpers/app.ts'
import { messagesOn } from '../../helpers/oracle/index.ts'
import { test } from '../../helpers/tap.ts'
import { cardBody, quoteFor, submit } from '../../helpers/transfer-flow.ts'

/** The server's wallet. */
const signer = await createSigner({ mnemonic: DEVELOPMENT_WALLET, prefix: 'service' })

const BANK = { originChain: 'BANK', originSymbol: 'EUR', targetChain: 'BASE', targetSymbol: 'EURC' }

test('submits a card payment with the options of its quote, the service’s signature and no approval', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  const card = { originChain: 'CC', originSymbol: 'USD', originAddress: '', amount: '100.58' }
  const quote = await quoteFor(server, card)
  const { submitAmount, message } = quote.transactionValues.feeFromTarget
  const transactionIdSeed = randomUUID()
  const body = cardBody({
    originAddress: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
    amount: submitAmount,
    fee: quote.feeTotalBigInt,
    decimals: quote.decimals,
    signature: '0xsigned',
    fiatTransactionIdSeed: transactionIdSeed,
    options: JSON.stringify({
      feeId: quote.feeId,
      paymentMethod: 'creditCard',
      chargeFeeAtTarget: true,
      transactionIdSignature: 'from the client',
      message
    })
  })
  t.match((await submit(server, body)).json(), { txId: 1 })
  const [transfer] = messagesOn(devnet).transfers
  t.match(transfer, { originChain: 'FIAT', originAddress: '', originSymbol: 'USD', amount: '100.5' })
  t.same(JSON.parse(transfer?.['options'] ?? ''), {
    feeId: quote.feeId,
    paymentMethod: 'creditCard',
    chargeFeeAtTarget: true,
    message,
    transactionIdSeed,
    transactionIdSignature: await transactionIdSignature(transactionIdSeed, signer)
  })
  t.match((await server.inject('/tx/1/status')).json().data.transaction_data[0], {
    originchain: 'FIAT',
    originaddress: ''
  })
})

test('submits every rail as FIAT, whether the client sends FIAT, CC or BANK', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  const [seed, sameSeed] = [randomUUID(), randomUUID()]
  const withoutSeed = { transactionIdSeed: undefined }
  const sepa = { paymentMethod: 'sepaEur' }
  const bodies = [
    cardBody(),
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
  t.match(swaps, [{ amountIn: '100.5', amountOut: '99', fee: '0.42' }])
  for (const { originChain, originAddress, options } of [...transfers, ...swaps]) {
    t.same({ originChain, originAddress }, { originChain: 'FIAT', originAddress: '' })
    const { transactionIdSeed, transactionIdSignature: signature, ...rest } = JSON.parse(options ?? '')
    t.equal(signature, await transactionIdSignature(transactionIdSeed, signer))
    t.match(rest, { feeId: /./, paymentMethod: /^(creditCard|sepaEur)$/ })
    t.notOk('signature' in rest)
  }
})
