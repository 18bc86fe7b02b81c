/**
 * Accepts payments to the shop's own address, on the chains that the shop works with, and nothing else.
 * Copy it to wherever you like, change the three constants, and point SERVICE_CUSTOM_PLUGIN at it.
 */
const paymentAddress = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const originChains = ['ETH', 'POL', 'CC']
const targetChain = 'POL'

/** @returns '' for a transaction that is acceptable, otherwise why it is not: the widget's user reads it. */
function customTransValidation(request) {
  const { originChain, targetChain: chain, targetAddress } = request.body
  if (!originChains.includes(originChain))
    return `This shop takes payments from ${originChains.join(', ')} only`
  if (chain !== targetChain) return `This shop is paid on ${targetChain} only`
  // Upper and lower case are a checksum in the addresses of EVM chains; elsewhere compare them as they are.
  if (targetAddress.toLowerCase() !== paymentAddress.toLowerCase())
    return 'This is not the address of this shop'
  return ''
}

export default async function plugin(app) {
  app.decorate('customTransValidation', customTransValidation)
}
