import { transferRoute } from '../transfer-route.ts'

export default transferRoute()
