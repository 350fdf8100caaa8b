/** Packages that are bundled into the fleet page. They are development dependencies, so users do not install them. */
export const BUNDLED = ['preact', 'uplot'];
