import { runFiles } from '../helpers/run-files.ts'

runFiles({
  except: ['app', 'client', 'devnet', 'faults', 'operator', 'plugins', 'routes', 'services', 'simulation']
})
