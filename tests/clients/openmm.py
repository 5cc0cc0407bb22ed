"""OpenMM: forces and energy of a box of water by its OpenCL platform, in each precision, against its reference.

SPDX-License-Identifier: MIT
"""
import os
import sys

sys.path[:] = [p for p in sys.path if os.path.abspath(p or '.') != os.path.dirname(os.path.abspath(__file__))]
os.environ.setdefault('OPENMM_PLUGIN_DIR', '/usr/lib/x86_64-linux-gnu/openmm/plugins')
try:
    import numpy as np
    import openmm as mm
    from openmm import app, unit
except ImportError:
    print('no openmm (Debian: python3-simtk, libopenmm-plugins)')
    sys.exit(77)
if 'OpenCL' not in [mm.Platform.getPlatform(i).getName() for i in range(mm.Platform.getNumPlatforms())]:
    print('no OpenCL platform of OpenMM (Debian: libopenmm-plugins)')
    sys.exit(77)

field = app.ForceField('tip3p.xml')
water = app.Modeller(app.Topology(), [])
water.addSolvent(field, boxSize=mm.Vec3(2, 2, 2) * unit.nanometers)
system = field.createSystem(water.topology, nonbondedMethod=app.PME, nonbondedCutoff=0.9 * unit.nanometer,
                            constraints=app.HBonds)


def start(platform, **properties):
    context = mm.Context(system, mm.VerletIntegrator(0.001), mm.Platform.getPlatformByName(platform), properties)
    context.setPositions(water.positions)
    return context


def look(context):
    state = context.getState(getForces=True, getEnergy=True)
    return (state.getForces(asNumpy=True).value_in_unit(unit.kilojoules_per_mole / unit.nanometer),
            (state.getPotentialEnergy() + state.getKineticEnergy()).value_in_unit(unit.kilojoules_per_mole))


forces, energy = look(start('Reference'))
failed = False
for precision, limit in (('single', 1e-4), ('mixed', 1e-4), ('double', 1e-5)) if os.environ.get('CLIENTS_FULL') else (('mixed', 1e-4),):
    context = start('OpenCL', Precision=precision)
    ours, own = look(context)
    off = np.sqrt(((ours - forces) ** 2).sum() / (forces ** 2).sum())
    context.getIntegrator().step(20)
    moved, _ = look(context)
    wrong = off > limit or abs(own - energy) > limit * abs(energy) or not np.isfinite(moved).all()
    print('%s: forces off by %g of their size, energy %.3f for %.3f%s' % (precision, off, own, energy, ': WRONG' if wrong else ''))
    failed = failed or wrong
sys.exit(failed)
