/**
 * Accepts only payments to the shop's address, on the chains that the shop works with.
 * Copy the file, change the three constants, and set SERVICE_CUSTOM_PLUGIN to its path.
 */
const paymentAddress = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const originChains = ['ETH', 'POL', 'CC']
const targetChain = 'POL'

/** @returns '' to accept the transaction, otherwise the reason for refusing it, which the user of the widget reads */
function customTransValidation(request) {
  const { originChain, targetChain: chain, targetAddress } = request.body
  if (!originChains.includes(originChain))
    return `This shop takes payments from ${originChains.join(', ')} only`
  if (chain !== targetChain) return `This shop is paid on ${targetChain} only`
  // In EVM addresses, upper and lower case are only a checksum. Compare addresses of other chains exactly.
  if (targetAddress.toLowerCase() !== paymentAddress.toLowerCase())
    return 'This is not the address of this shop'
  return ''
}

export default async function plugin(app) {
  app.decorate('customTransValidation', customTransValidation)
}
