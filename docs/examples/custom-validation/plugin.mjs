/**
 * Accepts only payments to the shop's address, on the chains and in the tokens that the shop works with, of at most a thousand
 * dollars.
 * Copy the file, change the constants, and set SERVICE_CUSTOM_PLUGIN to its path.
 */
const paymentAddress = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const originChains = ['ETH', 'POL', 'CC']
const targetChain = 'POL'
/** All of them are worth a dollar, so that one limit is right for all. */
const symbols = ['USDT', 'USDC', 'USD']
const mostTokens = 1000n

/** @returns '' to accept the transaction, otherwise the reason for refusing it, which the user of the widget reads */
function customTransValidation({ submission }) {
  const { origin, target } = submission
  if (!originChains.includes(origin.chain))
    return `This shop takes payments from ${originChains.join(', ')} only`
  if (target.chain !== targetChain) return `This shop is paid on ${targetChain} only`
  // In EVM addresses, upper and lower case are only a checksum. Compare addresses of other chains exactly.
  if (target.address.toLowerCase() !== paymentAddress.toLowerCase())
    return 'This is not the address of this shop'
  if (![origin, target].every(({ symbol }) => symbols.includes(symbol)))
    return `This shop takes payments in ${symbols.join(', ')} only`
  // Amounts are bigints in the token's smallest unit.
  const { units, decimals, text } = origin.amount
  if (units > mostTokens * 10n ** BigInt(decimals)) return `${text} is more than this shop sells for`
  return ''
}

export default async function plugin(app) {
  app.decorate('customTransValidation', customTransValidation)
}
