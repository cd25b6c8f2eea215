"""The state of the window, without Qt: the opened ROM, the place, the camera, the clock, the selection and its
facts."""
