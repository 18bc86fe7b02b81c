/**
 * The example bodies in /docs. They contain the second and third addresses of the well-known
 * development phrase, and valid signatures of the quotes' messages. So on the development network, only the feeId must
 * be replaced with that of a new quote.
 */

const payer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const receiver = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

const ends = { originAddress: payer, originChain: 'ETH', originSymbol: 'USDT', targetAddress: receiver }

/** The signed message is “I approve the transfer of 100.91275 USDT from ETH to 0x3C44… on POL.” */
export const transferExample = {
  ...ends,
  targetChain: 'POL',
  targetSymbol: 'USDC',
  amount: '100500000',
  fee: '412750',
  decimals: 6,
  options: JSON.stringify({
    feeId: '2f1c6d1e-6a0f-4b5e-9a54-0a4f2f0f6c11',
    signature:
      '0xd06cc3ca3063f15f99604f0bfa5b789ed086bc0c09b7e3b19f85fe870d192052' +
      '6d584ff0fcf61cd200624ea651cd3b3cbd4feabc4bf8b2b683a0deef615315ae1b'
  })
}

/** The signed message is “I approve the transfer of 101.21675 USDT from ETH to 0x3C44… on BASE.” */
export const swapExample = {
  ...ends,
  targetChain: 'BASE',
  targetSymbol: 'EURC',
  amountIn: '100500000',
  amountInDecimals: 6,
  amountOut: '93055555',
  amountOutDecimals: 6,
  fee: '716750',
  // Differs from the transfer's feeId, because a crypto origin’s quote is valid for only one submission.
  options: JSON.stringify({
    feeId: '5b0e8a3c-74d1-4c0f-8f3e-9d2b6a1c7e40',
    signature:
      '0x8f58c38e050eb03a755afcdce61c51b1886c5b5501afcbfdcd13ef3ea45b3b5d' +
      '646362afc6f3d2708ffa7183d535a3d81236aab7c9ddfa43a439f1ee9c7d71811b'
  })
}
