/** The packages that are bundled into the fleet page. They are development dependencies: nobody installs them. */
export const BUNDLED = ['preact', 'uplot'];
